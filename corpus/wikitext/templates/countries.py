"""Codes of countries as flag templates use them: ISO 3166-1, the Olympic Committee's and FIFA's."""

from __future__ import annotations

_TABLE = """
AF AFG Afghanistan|AX ALA Åland|AL ALB Albania|DZ DZA ALG Algeria|AS ASM ASA American Samoa|AD AND Andorra
AO AGO ANG Angola|AI AIA Anguilla|AQ ATA Antarctica|AG ATG ANT Antigua and Barbuda|AR ARG Argentina|AM ARM Armenia
AW ABW ARU Aruba|AU AUS Australia|AT AUT Austria|AZ AZE Azerbaijan|BS BHS BAH Bahamas|BH BHR BRN Bahrain
BD BGD BAN Bangladesh|BB BRB BAR Barbados|BY BLR Belarus|BE BEL Belgium|BZ BLZ BIZ Belize|BJ BEN Benin
BM BMU BER Bermuda|BT BTN BHU Bhutan|BO BOL Bolivia|BA BIH Bosnia and Herzegovina|BW BWA BOT Botswana|BR BRA Brazil
VG VGB IVB British Virgin Islands|BN BRU Brunei|BG BGR BUL Bulgaria|BF BFA BUR Burkina Faso|BI BDI Burundi
KH KHM CAM Cambodia|CM CMR Cameroon|CA CAN Canada|CV CPV Cape Verde|KY CYM CAY Cayman Islands
CF CAF CTA Central African Republic|TD TCD CHA Chad|CL CHL CHI Chile|CN CHN China|CX CXR Christmas Island
CO COL Colombia|KM COM Comoros|CG COG CGO Republic of the Congo|CD COD Democratic Republic of the Congo
CK COK Cook Islands|CR CRI CRC Costa Rica|CI CIV Ivory Coast|HR HRV CRO Croatia|CU CUB Cuba|CW CUW Curaçao|CY CYP Cyprus
CZ CZE Czech Republic|DK DNK DEN Denmark|DJ DJI Djibouti|DM DMA Dominica|DO DOM Dominican Republic|TL TLS East Timor
EC ECU Ecuador|EG EGY Egypt|SV SLV ESA El Salvador|GQ GNQ GEQ Equatorial Guinea|ER ERI Eritrea|EE EST Estonia
SZ SWZ Eswatini|ET ETH Ethiopia|FK FLK Falkland Islands|FO FRO Faroe Islands|FJ FJI FIJ Fiji|FI FIN Finland|FR FRA France
GF GUF French Guiana|PF PYF TAH French Polynesia|GA GAB Gabon|GM GMB GAM Gambia|GE GEO Georgia|DE DEU GER Germany
GH GHA Ghana|GI GIB Gibraltar|GR GRC GRE Greece|GL GRL Greenland|GD GRD GRN Grenada|GP GLP Guadeloupe|GU GUM Guam
GT GTM GUA Guatemala|GG GGY Guernsey|GN GIN GUI Guinea|GW GNB GBS Guinea-Bissau|GY GUY Guyana|HT HTI HAI Haiti
HN HND HON Honduras|HK HKG Hong Kong|HU HUN Hungary|IS ISL Iceland|IN IND India|ID IDN INA Indonesia|IR IRN IRI Iran
IQ IRQ Iraq|IE IRL Ireland|IM IMN Isle of Man|IL ISR Israel|IT ITA Italy|JM JAM Jamaica|JP JPN Japan|JE JEY Jersey
JO JOR Jordan|KZ KAZ Kazakhstan|KE KEN Kenya|KI KIR Kiribati|XK XKX KOS KVX Kosovo|KW KWT KUW Kuwait|KG KGZ Kyrgyzstan
LA LAO Laos|LV LVA LAT Latvia|LB LBN LIB Lebanon|LS LSO LES Lesotho|LR LBR Liberia|LY LBY LBA Libya|LI LIE Liechtenstein
LT LTU Lithuania|LU LUX Luxembourg|MO MAC Macau|MG MDG MAD Madagascar|MW MWI MAW Malawi|MY MYS MAS Malaysia
MV MDV Maldives|ML MLI Mali|MT MLT Malta|MH MHL Marshall Islands|MQ MTQ Martinique|MR MRT MTN Mauritania|MU MUS MRI Mauritius
YT MYT Mayotte|MX MEX Mexico|FM FSM Federated States of Micronesia|MD MDA Moldova|MC MCO MON Monaco|MN MNG MGL Mongolia
ME MNE Montenegro|MS MSR Montserrat|MA MAR Morocco|MZ MOZ Mozambique|MM MMR MYA Myanmar|NA NAM Namibia|NR NRU Nauru
NP NPL NEP Nepal|NL NLD NED Netherlands|NC NCL New Caledonia|NZ NZL New Zealand|NI NIC NCA Nicaragua|NE NER NIG Niger
NG NGA NGR Nigeria|NU NIU Niue|KP PRK North Korea|MK MKD North Macedonia|MP MNP Northern Mariana Islands|NO NOR Norway
OM OMN OMA Oman|PK PAK Pakistan|PW PLW Palau|PS PSE PLE Palestine|PA PAN Panama|PG PNG Papua New Guinea|PY PRY PAR Paraguay
PE PER Peru|PH PHL PHI Philippines|PN PCN Pitcairn Islands|PL POL Poland|PT PRT POR Portugal|PR PRI PUR Puerto Rico
QA QAT Qatar|RE REU Réunion|RO ROU ROM Romania|RU RUS Russia|RW RWA Rwanda|KN KNA SKN Saint Kitts and Nevis
LC LCA Saint Lucia|VC VCT VIN Saint Vincent and the Grenadines|WS WSM SAM Samoa|SM SMR San Marino|ST STP São Tomé and Príncipe
SA SAU KSA Saudi Arabia|SN SEN Senegal|RS SRB Serbia|SC SYC SEY Seychelles|SL SLE Sierra Leone|SG SGP SIN Singapore
SX SXM Sint Maarten|SK SVK Slovakia|SI SVN SLO Slovenia|SB SLB SOL Solomon Islands|SO SOM Somalia|ZA ZAF RSA South Africa
KR KOR South Korea|SS SSD South Sudan|ES ESP Spain|LK LKA SRI Sri Lanka|SD SDN SUD Sudan|SR SUR Suriname|SE SWE Sweden
CH CHE SUI Switzerland|SY SYR Syria|TW TWN Taiwan|TPE Chinese Taipei|TJ TJK Tajikistan|TZ TZA TAN Tanzania|TH THA Thailand
TG TGO TOG Togo|TO TON TGA Tonga|TT TTO TRI TTO Trinidad and Tobago|TN TUN Tunisia|TR TUR Turkey|TM TKM Turkmenistan
TC TCA Turks and Caicos Islands|TV TUV Tuvalu|UG UGA Uganda|UA UKR Ukraine|AE ARE UAE United Arab Emirates
GB UK GBR United Kingdom|US USA United States|UY URY URU Uruguay|VI VIR ISV United States Virgin Islands|UZ UZB Uzbekistan
VU VUT VAN Vanuatu|VA VAT Vatican City|VE VEN Venezuela|VN VNM VIE Vietnam|YE YEM Yemen|ZM ZMB ZAM Zambia|ZW ZWE ZIM Zimbabwe
ENG England|SCO Scotland|WAL Wales|NIR Northern Ireland|URS Soviet Union|GDR East Germany|FRG West Germany|YUG Yugoslavia
TCH Czechoslovakia|SCG Serbia and Montenegro|EUA United Team of Germany|EUN Unified Team|EU European Union|ZAI Zaire
AHO Netherlands Antilles|ROC Russian Olympic Committee|WIN West Indies|BOH Bohemia|CSA Confederate States|ANZ Australasia|PRC China
"""


def _read_table() -> dict[str, str]:
    names = {}
    for entry in _TABLE.strip().replace("\n", "|").split("|"):
        words = entry.split()
        codes = [word for word in words if word.isupper() and len(word) <= 3 and word.isascii()]
        name = " ".join(words[len(codes) :])
        names.update(dict.fromkeys(codes, name))
    return names


COUNTRIES = _read_table()
"""Code in capitals → English name."""
