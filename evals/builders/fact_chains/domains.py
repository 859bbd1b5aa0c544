"""The six domains of CCMOR, told by words; balanced by taking turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

DOMAINS = ("中国文化", "人文社科", "工程与技术", "生活与艺术", "社会", "自然科学")
_WORDS = {
    "中国文化": "诗人 诗歌 书法 字“ 号“ 茶经 长城 皇宫 故宫 传说 四大发明 国学 典籍 中医 节日 代表作 古称",
    "人文社科": "朝代 皇帝 历史 战争 叛乱 首领 教育家 帝国 起义 开国 年号 灭亡 前朝 哲学 法律 经济",
    "工程与技术": "造纸 火药 技术 工程 发明 改进 大桥 水电站 配方 印刷 航海 计算机 机械",
    "生活与艺术": "饮料 演员 戏曲 京剧 剧种 作家 小说 音乐 电影 绘画 体育 美食 茶 声腔 市花",
    "社会": "城市 省会 省份 首都 直辖市 大学 人口 学校 创办 母校 校长 政治 国家 交通",
    "自然科学": "河流 山脉 海拔 最高峰 主峰 动物 植物 药物 提取 分子 物理 化学 科学家 发源 流入 生物 天文",
}
_CATEGORIES = {
    "中华文化": "中国文化",
    "人文与社会科学": "人文社科",
    "工程、技术与应用科学": "工程与技术",
    "生活、艺术与文化": "生活与艺术",
    "自然与自然科学": "自然科学",
}
_QUESTION_WEIGHT = 3
Thing = TypeVar("Thing")


def classify(question: str, context: str = "") -> str:
    """Return the domain whose words a question and the beginning of its article hold most of."""

    def score(domain: str) -> int:
        words = _WORDS[domain].split()
        return sum(_QUESTION_WEIGHT * (word in question) + (word in context) for word in words)

    return max(DOMAINS, key=score)


def domain_of(category: str) -> str | None:
    """Return the domain of a category as Chinese SimpleQA names it, or None."""
    name = _CATEGORIES.get(category, category)
    return name if name in DOMAINS else None


def take_turns(things: Sequence[Thing], domain: Callable[[Thing], str]) -> list[Thing]:
    """Return the things in an order in which the domains take turns; within one it is kept."""
    queues = {name: [thing for thing in things if domain(thing) == name] for name in DOMAINS}
    order: list[Thing] = []
    for number in range(max(map(len, queues.values()), default=0)):
        order += [queue[number] for queue in queues.values() if number < len(queue)]
    return order
