"""Sentences with which an encoder is tried: what means the same, and what only looks alike.

Written for this purpose. In each row the second sentence says what the first says, in other words;
the third has the form and some words of the first and says something else.
"""

# ruff: noqa: RUF001 - Chinese has its own comma and question mark
from __future__ import annotations

Row = tuple[str, str, str]

ROWS: dict[str, tuple[Row, ...]] = {
    "en": (
        (
            "The shop opens at nine in the morning.",
            "Business hours begin at 9 a.m.",
            "The teacher asked nine questions in the morning.",
        ),
        (
            "How do I reset my password?",
            "I forgot my login code and want to create a new one.",
            "How do I get to the airport?",
        ),
        (
            "The train was delayed by heavy snow.",
            "Because of the blizzard the railway ran late.",
            "The bread was baked by hand in a stone oven.",
        ),
        (
            "This medicine should be taken after meals.",
            "Swallow these pills once you have eaten.",
            "This portrait should be printed on thick paper.",
        ),
        (
            "The company hired fifty engineers last year.",
            "A year ago the firm took on 50 new technicians.",
            "The orchestra recorded fifty songs last week.",
        ),
        (
            "Children under six travel free of charge.",
            "No ticket is needed for kids who are not yet 6 years old.",
            "Whales under the ice sing to each other.",
        ),
    ),
    "ko": (
        (
            "가게는 아침 아홉 시에 문을 엽니다.",
            "영업은 오전 9시부터 시작합니다.",
            "선생님은 아침에 질문 아홉 개를 했습니다.",
        ),
        (
            "비밀번호를 어떻게 재설정하나요?",
            "암호를 잊어버려서 새로 만들고 싶습니다.",
            "공항까지 어떻게 가야 하나요?",
        ),
        (
            "폭설 때문에 열차가 늦게 도착했습니다.",
            "눈이 많이 내려 기차가 지연되었습니다.",
            "취미 때문에 카메라를 새로 구입했습니다.",
        ),
        (
            "이 약은 식사 후에 드셔야 합니다.",
            "밥을 먹고 나서 이 알약을 복용하세요.",
            "이 사진은 두꺼운 종이에 인쇄해야 합니다.",
        ),
        (
            "회사는 지난해 기술자 쉰 명을 새로 뽑았습니다.",
            "작년에 그 기업은 엔지니어 50명을 추가로 채용했다.",
            "악단은 지난주 노래 쉰 곡을 새로 녹음했습니다.",
        ),
        (
            "여섯 살 미만의 어린이는 무료로 탈 수 있습니다.",
            "만 6세가 안 된 아이는 표를 사지 않아도 된다.",
            "물속의 고래는 소리로 서로 이야기할 수 있습니다.",
        ),
    ),
    "ja": (
        ("店は朝九時に開きます。", "営業は午前9時からです。", "先生は朝九つ質問をしました。"),
        (
            "パスワードを再設定するにはどうすればいいですか。",
            "ログインの暗証番号を忘れたので、新しく作り直したいです。",
            "空港まで行くにはどうすればいいですか。",
        ),
        (
            "大雪のため列車が遅れました。",
            "雪がたくさん降って、電車の到着が遅くなった。",
            "趣味のためカメラを買いました。",
        ),
        (
            "この薬は食後に飲んでください。",
            "ご飯を食べてからこの錠剤を服用します。",
            "この写真は厚い紙に印刷してください。",
        ),
        (
            "会社は昨年、技術者を五十人採用しました。",
            "去年、その企業は新たに50名のエンジニアを雇った。",
            "楽団は先週、名曲を五十曲録音しました。",
        ),
        (
            "六歳未満の子供は無料で乗れます。",
            "まだ6歳になっていない児童は切符がいりません。",
            "水中のクジラは音で話せます。",
        ),
    ),
    "zh": (
        ("商店早上九点开门。", "营业时间从上午9点开始。", "老师早上问了九个问题。"),
        ("怎样重置我的密码？", "我忘记了登录口令，想设一个新的。", "怎样乘车去机场？"),
        ("由于大雪，火车晚点了。", "雪下得很大，列车没有准时到达。", "由于爱好，他买了相机。"),
        ("这种药应该饭后服用。", "吃完饭再吞下这些药片。", "这张照片应该用厚纸打印。"),
        (
            "公司去年招聘了五十名工程师。",
            "上一年，这家企业新雇用了50位技术人员。",
            "乐团上周录制了五十首老歌。",
        ),
        ("六岁以下的儿童免费乘车。", "未满6岁的孩子不用买票。", "水下的鲸鱼用声音交流。"),
    ),
    "de": (
        (
            "Der Laden öffnet um neun Uhr morgens.",
            "Die Geschäftszeiten beginnen um 9 Uhr früh.",
            "Der Lehrer stellte neun Fragen am Morgen.",
        ),
        (
            "Wie setze ich mein Passwort zurück?",
            "Ich habe mein Kennwort vergessen und möchte ein neues festlegen.",
            "Wie finde ich den Weg zum Flughafen?",
        ),
        (
            "Der Zug hatte wegen starken Schneefalls Verspätung.",
            "Weil es heftig schneite, kam die Bahn zu spät an.",
            "Der Koch hatte wegen seiner Suppen großen Erfolg.",
        ),
        (
            "Dieses Medikament soll nach dem Essen eingenommen werden.",
            "Schlucken Sie diese Tabletten, wenn Sie gegessen haben.",
            "Dieses Bild soll auf dickem Papier gedruckt werden.",
        ),
        (
            "Die Firma stellte im vergangenen Jahr fünfzig Ingenieure ein.",
            "Letztes Jahr hat das Unternehmen 50 neue Techniker angeworben.",
            "Das Orchester spielte in der vergangenen Woche fünfzig Lieder ein.",
        ),
        (
            "Kinder unter sechs Jahren fahren kostenlos.",
            "Wer noch keine 6 Jahre alt ist, braucht keine Fahrkarte.",
            "Wale unter dem Eis singen miteinander.",
        ),
    ),
    "es": (
        (
            "La tienda abre a las nueve de la mañana.",
            "El horario de atención empieza a las 9 a. m.",
            "La maestra hizo nueve preguntas por la mañana.",
        ),
        (
            "¿Cómo puedo restablecer mi contraseña?",
            "Olvidé mi clave de acceso y quiero crear una nueva.",
            "¿Cómo puedo llegar al aeropuerto?",
        ),
        (
            "El tren se retrasó por la fuerte nevada.",
            "Como nevó mucho, el ferrocarril llegó tarde.",
            "El pintor se enamoró de la luz del sur.",
        ),
        (
            "Este medicamento debe tomarse después de comer.",
            "Trague estas pastillas una vez terminada la comida.",
            "Este retrato debe imprimirse en papel grueso.",
        ),
        (
            "La empresa contrató a cincuenta ingenieros el año pasado.",
            "Hace un año la compañía incorporó a 50 técnicos nuevos.",
            "La orquesta grabó cincuenta canciones la semana pasada.",
        ),
        (
            "Los niños menores de seis años viajan gratis.",
            "Quien aún no tiene 6 años no necesita billete.",
            "Las ballenas de los mares fríos cantan juntas.",
        ),
    ),
    "fr": (
        (
            "Le magasin ouvre à neuf heures du matin.",
            "Les horaires d'ouverture commencent à 9 h.",
            "Le professeur a posé neuf questions ce matin.",
        ),
        (
            "Comment puis-je réinitialiser mon mot de passe ?",
            "J'ai oublié mon code d'accès et je veux en créer un nouveau.",
            "Comment puis-je aller à l'aéroport ?",
        ),
        (
            "Le train a été retardé par de fortes chutes de neige.",
            "À cause de la tempête de neige, le chemin de fer avait du retard.",
            "Le pain a été cuit à la main dans un four de pierre.",
        ),
        (
            "Ce médicament doit être pris après le repas.",
            "Avalez ces comprimés une fois que vous avez mangé.",
            "Ce portrait doit être imprimé sur du papier épais.",
        ),
        (
            "L'entreprise a embauché cinquante ingénieurs l'année dernière.",
            "L'an passé, la société a recruté 50 nouveaux techniciens.",
            "L'orchestre a enregistré cinquante chansons la semaine dernière.",
        ),
        (
            "Les enfants de moins de six ans voyagent gratuitement.",
            "On n'a pas besoin de billet avant l'âge de 6 ans.",
            "Les baleines des mers froides chantent ensemble.",
        ),
    ),
}
"""Language (ISO 639-1) -> six rows: a sentence, its paraphrase, a sentence that is unrelated."""
