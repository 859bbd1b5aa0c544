"""What the labels of Chinese infoboxes mean: a question, a phrase, and the kind of thing asked for.

A relation is read forwards, from an article to the value of a label, or backwards, from a value to
the one article that states it. Labels that allow no single, lasting answer (population, famous
people, awards held by several, lakes of a city) are left out, as CCMOR asks of sub-questions (section 2.2), and so
are those that a wider world would answer in several ways when read backwards: which river flows
into a sea, which town has a flower.
"""

from __future__ import annotations

from dataclasses import dataclass

PERSON, PLACE, CITY, PROVINCE = "人物", "地方", "城市", "省份"
DYNASTY, RIVER, HILL, SCHOOL = "朝代", "河流", "山", "大学"
WORK, THING = "作品", "事物"
REFERENCES = {
    PERSON: "此人", PLACE: "该地", CITY: "该城市", PROVINCE: "该省", DYNASTY: "该朝代", RIVER: "该河",
    HILL: "该山", SCHOOL: "该校", WORK: "该作品", THING: "它",
}  # fmt: skip
"""How a thing that was named in one clause is called in the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One way to step from a thing to another."""

    label: str
    backwards: bool
    ask: str
    """`{s}` is where the step begins."""
    noun: str
    """What the step leads to, named from where it begins; empty where it only ends a chain."""
    kind: str
    """Of what the step leads to."""
    pattern: str = ""
    """The first group is the value, where it is only a part of what the label says."""


def _on(label: str, ask: str, noun: str, kind: str, pattern: str = "") -> Relation:
    return Relation(label=label, backwards=False, ask=ask, noun=noun, kind=kind, pattern=pattern)


def _back(label: str, ask: str, noun: str, kind: str, pattern: str = "") -> Relation:
    return Relation(label=label, backwards=True, ask=ask, noun=noun, kind=kind, pattern=pattern)


RELATIONS = (
    # People
    _on("出生地", "{s}出生在哪里？", "{s}的出生地", PLACE),
    _on("逝世地", "{s}在哪里去世？", "{s}去世的地方", PLACE),
    _on("籍贯", "{s}的籍贯是哪里？", "{s}的籍贯", PLACE),
    _on("母校", "{s}毕业于哪所大学？", "{s}的母校", SCHOOL),
    _on("父亲", "{s}的父亲是谁？", "{s}的父亲", PERSON),
    _on("出生", "{s}出生于什么时候？", "", THING),
    _on("逝世", "{s}逝世于什么时候？", "", THING),
    _on("字", "{s}的字是什么？", "", THING),
    _on("年号", "{s}的年号是什么？", "", THING),
    _on("本名", "{s}的本名是什么？", "", THING),
    _on("原名", "{s}的原名是什么？", "", THING),
    _back("字", "字“{s}”的人是谁？", "字“{s}”的人", PERSON),
    _back("号", "号“{s}”的人是谁？", "号“{s}”的人", PERSON),
    _back("自号", "自号“{s}”的人是谁？", "自号“{s}”的人", PERSON),
    _back("年号", "年号为“{s}”的皇帝是谁？", "年号为“{s}”的皇帝", PERSON),
    _back("本名", "本名“{s}”的人是谁？", "本名“{s}”的人", PERSON),
    _back("原名", "原名“{s}”的人是谁？", "原名“{s}”的人", PERSON),
    # Works and things
    _on("作者", "{s}的作者是谁？", "{s}的作者", PERSON),
    _on("代表著作", "关于{s}的代表著作是哪一部？", "关于{s}的代表著作", WORK),
    _on("改进者", "{s}由谁改进？", "{s}的改进者", PERSON),
    _on("发明者", "{s}由谁发明？", "{s}的发明者", PERSON),
    _on("兴建者", "{s}由谁下令修建？", "下令修建{s}的人", PERSON),
    _on("导演", "{s}的导演是谁？", "{s}的导演", PERSON),
    _on("来源植物", "{s}提取自哪种植物？", "{s}的来源植物", THING),
    _on("改进时间", "{s}在哪一年得到改进？", "", THING),
    _on("建成", "{s}在哪一年建成？", "", THING),
    _on("分子式", "{s}的分子式是什么？", "", THING),
    _on("科", "{s}属于哪一科？", "", THING),
    _on("食物", "{s}主要吃什么？", "", THING),
    _on("卷数", "{s}共有几卷？", "", THING),
    _back("代表作", "{s}是谁的代表作？", "以{s}为代表作的人", PERSON),
    _back("来源植物", "从{s}中提取的药物叫什么？", "从{s}中提取的药物", THING),
    _back("改进者", "{s}改进了哪项技术？", "{s}改进的技术", THING),
    _back("兴建者", "{s}下令修建了哪座宫殿？", "{s}下令修建的宫殿", THING),
    _back("成就", "因发现{s}而闻名的人是谁？", "因发现{s}而闻名的人", PERSON, "发现(.+)"),
    _back("叛军首领", "{s}是哪次叛乱的首领？", "{s}率领的叛乱", THING),
    # Dynasties
    _on("朝代", "{s}属于哪个朝代？", "{s}所属的朝代", DYNASTY),
    _on("首都", "{s}的首都在哪里？", "{s}的首都", CITY),
    _on("开国皇帝", "{s}的开国皇帝是谁？", "{s}的开国皇帝", PERSON),
    _on("前朝", "{s}的前一个朝代是哪个？", "{s}的前一个朝代", DYNASTY),
    _on("建立", "{s}建立于哪一年？", "", THING),
    _on("灭亡", "{s}灭亡于哪一年？", "", THING),
    _back("开国皇帝", "{s}是哪个朝代的开国皇帝？", "{s}建立的朝代", DYNASTY),
    _back("前朝", "{s}的下一个朝代是哪个？", "{s}的下一个朝代", DYNASTY),
    # Places
    _on("省份", "{s}位于哪个省？", "{s}所在的省份", PROVINCE),
    _on("所在地", "{s}位于哪个省？", "{s}所在的省份", PROVINCE, "(.+?省).*"),
    _on("地位", "{s}是哪个省的省会？", "以{s}为省会的省份", PROVINCE, "(.+省)省会"),
    _on("省会", "{s}的省会是哪座城市？", "{s}的省会", CITY),
    _on("地点", "{s}位于哪座城市？", "{s}所在的城市", CITY),
    _on("形成地", "{s}形成于哪座城市？", "{s}的形成地", CITY),
    _on("最高峰", "{s}的最高峰是哪座山？", "{s}的最高峰", HILL),
    _on("主峰", "{s}的主峰叫什么？", "", HILL),
    _on("海拔", "{s}海拔多少米？", "", THING),
    _on("河流", "流经{s}的主要河流是哪条？", "流经{s}的主要河流", RIVER, "([^、]+[江河])"),
    _on("市花", "{s}的市花是什么？", "", THING),
    _on("别称", "{s}的别称是什么？", "", THING),
    _on("古称", "{s}的古称是什么？", "", THING),
    _on("发源地", "{s}发源于哪座山？", "{s}的发源地", HILL),
    _on("流入", "{s}流入哪片海域？", "{s}流入的海域", THING),
    _on("长度", "{s}全长多少公里？", "", THING),
    _on("入海城市", "{s}在哪座城市入海？", "{s}入海口所在的城市", CITY),
    _on("入海省份", "{s}在哪个省入海？", "{s}入海口所在的省份", PROVINCE),
    _on("创办", "{s}创办于哪一年？", "", THING),
    _on("前身", "{s}的前身是什么？", "", THING),
    _back("最高峰", "{s}是哪个省的最高峰？", "以{s}为最高峰的省份", PROVINCE),
    _back("省会", "{s}是哪个省的省会？", "以{s}为省会的省份", PROVINCE),
    _back("简称", "简称“{s}”的省份是哪个？", "简称“{s}”的省份", PROVINCE),
    _back("主峰", "主峰为{s}的山是哪座？", "主峰为{s}的山", HILL),
    _back("湖泊", "{s}位于哪座城市？", "{s}所在的城市", CITY),
    _back("古称", "古称“{s}”的城市是哪座？", "古称“{s}”的城市", CITY),
    _back("前身", "前身为{s}的大学是哪所？", "前身为{s}的大学", SCHOOL),
    _back("组成学校", "{s}参与组成的大学是哪所？", "{s}参与组成的大学", SCHOOL),
)  # fmt: skip
