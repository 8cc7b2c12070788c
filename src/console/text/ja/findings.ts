import type { texts as english } from '../en/findings'

const KEYS = '公開鍵のアドレス'
const REFUSED = 'ID トークンは拒否されます'
const CORRECT_KEYS = '公開鍵のアドレスを修正します。'
const MASTER = 'または、サーバーの運用者が以前のマスターキーを戻します。'
const RECEIVER = '受信側を修正し、再び有効にして、届かなかったものを再送します。'
const RATES = '為替レートはサーバーの運用者が読み込みます。レートのない明細はグラフで確認できます。'

const words: (typeof english)['words'] = {
  STORED_BROKEN: ['保存されたものが壊れています：{kind} {id}、{path}（{message}）', '保存し直します。'],
  NO_API_KEY: ['有効な API キーがありません', 'API キーを作成します。'],
  CREDENTIALS_SEALED: ['保存されたキーを開けません：{section}', `保存し直します。${MASTER}`],
  NO_IOS_BUNDLE_ID: ['バンドル ID が未設定のため、iOS のレシートは拒否されます', 'アプリのバンドル ID を入力します。'],
  NO_IOS_APP_ID: ['アプリの Apple ID が未設定のため、本番の通知は待たされます', 'アプリの Apple ID を入力します。'],
  NO_ANDROID_ORDERS: [
    'Google Play がサービスアカウントに注文を見せないため、一回限りの購入と日割りの金額がありません',
    'Play Console で売上データの閲覧権限を与えます。',
  ],
  NO_PAYMENT_ACCOUNT: [
    '決済 ID のある商品がありますが、決済アカウントが接続されていません',
    '決済アカウントを接続します。',
  ],
  NO_PAYMENT_SECRET_KEY: [
    '決済サービスのシークレットキーが未保存のため、Web では何も販売されません',
    'シークレットキーを入力します。',
  ],
  NO_PAYMENT_WEBHOOK_SECRET: [
    '決済サービスの署名シークレットが未保存のため、イベントはすべて拒否されます',
    'Webhook の署名シークレットを入力します。',
  ],
  PAYMENT_MODES_DIFFER: [
    'シークレットキーは{keyMode}モード、アカウントは{mode}モードです',
    'キーとアカウントのモードを揃えます。',
  ],
  NO_PLATFORM_KEYS: [
    '接続アカウントで販売していますが、サーバーにプラットフォームの{mode}モードのキーがありません',
    'サーバーの運用者が設定します。',
  ],
  NO_PUBLISHABLE_KEY: [
    '公開可能キーが未保存のため、次のファネルでは支払えません：{names}',
    '公開可能キーを入力します。',
  ],
  SHIELD_NO_CONSENT: ['顧客の同意があるまで、返金対策は何も回答しません', '顧客の同意を確認します。'],
  SHIELD_NO_KEY: ['返金対策に回答用のキーがありません', 'App 内課金キーを保存します。'],
  SDK_DOOR_TEST_STORE: [
    '公開キーを持つアプリはテストストアで購入できます',
    'テストの後、以前の SDK のアプリ向けのテストストアをオフにします。',
  ],
  SDK_DOOR_NO_STORE: [
    '以前の SDK のアプリに応答していますが、接続されたストアがありません',
    'App Store または Google Play を接続します。',
  ],
  SDK_DOOR_NO_PLANS: [
    '以前の SDK の Android アプリは、基本プランのない定期購入を表示しません：{names}',
    '各商品の基本プランを入力します。',
  ],
  NOTIFICATIONS_FAILED: [
    '過去 24 時間に処理できなかったストアの通知：{count} 件',
    '内容を確認し、原因を直して、もう一度処理します。',
  ],
  NOTIFICATIONS_WAIT: [
    '待っているストアの通知：{count} 件、最も古いものは {minutes} 分前から',
    'サーバーが稼働し、ストアが応答しているか確認します。',
  ],
  NO_DEFAULT_OFFERING: ['既定のオファリングがありません', 'いずれかを既定にします。'],
  PRODUCTS_GIVE_NOTHING: ['次の商品はアクセスも通貨も与えません：{names}', 'それぞれが与えるものを設定します。'],
  PRODUCTS_WITHOUT_PERIOD: [
    '次の App Store のサブスクリプションには期間がないため、更新されないものが終わりません：{names}',
    'それぞれの期間を入力します。',
  ],
  PRODUCTS_TEST_STORE_ONLY: [
    '次の商品にはストア ID がないため、テストストアだけが販売します：{names}',
    'それぞれのストアでの ID を入力します。',
  ],
  PRODUCTS_UNSOLD: [
    '次の商品にはストア ID がないため、どのストアも販売しません：{names}',
    'それぞれのストアでの ID を入力します。',
  ],
  PRODUCTS_MISSING: [
    '購入されたのにカタログにない商品（{store}）：{names}',
    'それぞれの ID の商品を追加します。購入はまもなくアクセスを与えます。',
  ],
  PURCHASES_FORMER_KEY: [
    '以前のバージョンのキーを持つ App Store の購入：{count} 件',
    '商品がカタログにあれば、稼働中のサーバーが数分以内に直します。',
  ],
  CHARGES_COPIED: [
    '以前のバージョンが請求を二重に記録した App Store のサブスクリプション：{count} 件以上',
    '稼働中のサーバーが数分以内に統合します。',
  ],
  CREDIT_DOUBLED: [
    '{subscriber} は {purchase} に対して {amount} {currency} を二重に受け取りました',
    '二重に付与されたクレジットはサーバーの運用者が取り消します。',
  ],
  IDENTITY_SECRET_SEALED: ['ID シークレットを開けません', `シークレットを更新します。${MASTER}`],
  IDENTITY_NOTHING_CHECKS: [
    'ID トークンが必須ですが、検証するものがありません',
    'ID シークレットを作成するか、公開鍵のアドレスを入力します。',
  ],
  IDENTITY_KEYS_ADDRESS: [`${KEYS}を呼び出せないため、${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_TIMEOUT: [`${KEYS}が時間内に応答しないため、${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_UNREACHABLE: [`${KEYS}に到達できないため、${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_TOO_LARGE: [`${KEYS}の応答が 512 KiB を超えるため、${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_STATUS: [`${KEYS}が {status} を返すため、${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_MALFORMED: [`${KEYS}が JWKS でないものを返すため、${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_EMPTY: [
    `${KEYS}に使える鍵がないため、ID トークンは無効です`,
    'そこに鍵を公開するか、アドレスを修正します。',
  ],
  AUDIENCE_LISTS_STALE: [
    '次のオーディエンスの ID リストは別のマスターキーでハッシュされており、誰にも一致しません：{names}',
    `リストを送り直します。${MASTER}`,
  ],
  RULE_CHANGED: [
    'ルールの意味が以前と変わっています：{name}、{path}（{message}）',
    '正しければ、説明など何かを変更して保存すると、この表示は消えます。',
  ],
  RULES_CHANGED_MORE: ['リストを項目ごとに比較するようになったその他のルール：{count} 件', null],
  CERTIFICATE_EXPIRED: ['{hostname} の証明書は期限切れで、訪問者に警告が出ます', '更新します。'],
  DOMAIN_HELD: [
    'ドメイン {hostname} は別のプロジェクトが所有を証明しています',
    '削除するか、別のプロジェクトが手放します。',
  ],
  DOMAIN_FAILED: [
    'ドメイン {hostname} は失敗しました：TXT レコードが 72 時間確認できませんでした',
    'ドメインに表示されるレコードを設定し、確認します。',
  ],
  DOMAIN_PENDING: [
    'ドメイン {hostname} は TXT レコードを待っています',
    '不足しているレコードはドメインに表示されます。',
  ],
  DOMAIN_RECORD_GONE: [
    '{hostname} の TXT レコードがなくなりました',
    '設定し直します。なくなってから 7 日でページは停止します。',
  ],
  DOMAIN_ELSEWHERE: [
    'ドメイン {hostname} はこのサーバーにつながっていません',
    'ドメインに表示されるレコードを設定し、確認します。',
  ],
  WEBHOOK_SEALED: [
    '署名シークレットを開けないため、Webhook {name} には何も送信されません',
    `シークレットを更新します。${MASTER}`,
  ],
  WEBHOOK_GONE: ['アドレスが 410 を返したため、Webhook {name} は無効になりました', RECEIVER],
  WEBHOOK_FAILING: ['5 日間何も配信できなかったため、Webhook {name} は無効になりました', RECEIVER],
  DELIVERIES_LATE: [
    '配信が最大 {minutes} 分遅れています。待っている宛先：{targets} 件',
    'サーバーが稼働し、受信側がすぐに応答しているか確認します。',
  ],
  FORWARD_NO_ANSWER: [
    '{host} が通知を受け取りません（{store}）：応答なし、24 時間の失敗 {failures} 回',
    '受信側を修正するか、転送を削除します。',
  ],
  FORWARD_REFUSED: [
    '{host} が通知を受け取りません（{store}）：応答 {status}、24 時間の失敗 {failures} 回',
    '受信側を修正するか、転送を削除します。',
  ],
  EXPORT_SEALED: [
    '認証情報を開けないため、{target} には何も書き出されません',
    `スケジュールの認証情報を入力し直します。${MASTER}`,
  ],
  EXPORT_FAILED: [
    '{target} への書き出しに失敗しました。連続失敗 {failures} 回（{error}）',
    'スケジュールを修正します。毎日もう一度試みます。',
  ],
  DATA_REQUESTS_LATE: ['1 日以上待っているデータ請求：{count} 件', '開いて理由を確認します。'],
  DATA_REQUESTS_FAILED: ['過去 30 日に失敗したデータ請求：{count} 件', '開いて理由を確認します。'],
  COMPARE_SEALED: [
    '他社サービスのキーを開けないため、夜間の比較は行われません',
    `スケジュールを設定し直します。${MASTER}`,
  ],
  COMPARE_FAILED: ['前回の夜間の比較は中断しました：{error}', null],
  FIGURES_DIFFER: [
    '保存された合計が、元の明細と一致しません',
    '別のタイムゾーンを保存してから元に戻すと再計算されます。あわせて報告してください。',
  ],
  RATES_NONE: [
    '為替レートがないため、他の通貨の金額に USD の金額がありません。前回の取得に失敗しました：{fault}',
    RATES,
  ],
  RATES_STALE: ['最新の為替レートは {day} のもので、72 時間以上前です', RATES],
  RATES_STALE_FAULT: ['最新の為替レートは {day} のもので、72 時間以上前です。前回の取得に失敗しました：{fault}', RATES],
}

export const texts: typeof english = {
  words,
  andMore: '{names} ほか {more} 件',
  sections: {
    ios: 'App Store',
    android: 'Google Play',
    payment: '決済サービス',
    refundShield: '返金対策',
  },
  modes: { test: 'テスト', live: '本番' },
}
