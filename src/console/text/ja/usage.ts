import type { texts as english } from '../en/usage'

export const texts: typeof english = {
  usagePurpose: (month: string) => `${month}にこのプロジェクトが使用した量です。発生時に数えます。日付は UTC です。`,
  usageMonth: '月',
  meterName: { events: 'イベント', sqlQueries: 'SQL クエリ' },
  meterPurpose: {
    events: '人とお金に起きたこと、およびアプリからの報告',
    sqlQueries: 'エディター、コマンド、API で実行されたもの',
  },
  otherMeter: {
    subscribers: '登録者',
    storageBytes: 'ファネルのファイル',
    webhookDeliveries: '当月の Webhook 配信',
  } as Record<string, string>,
  ofIncluded: (limit: string) => `/ ${limit}`,
  shareUsed: (share: string) => `${share} 使用`,
  overIncluded:
    'プランに含まれる量を超えています。2 か月続けて超えると、グラフ、クエリなどの分析画面がロックされます。アプリ、レシート、返金、付与、エクスポートはロックされません。',
  aboutBy: (count: string, day: string) => `このまま続くと ${day} までに約 ${count}`,
  withinPlan: '（プラン内）',
  abovePlan: '（プランに含まれる量を超えます）',
  usageByDay: '日別',
  usageToday: '今日（現時点まで）',
  withoutLimit: '上限なし',
  usageNow: '現在',
  monthBefore: '1 か月前',
  usageChange: '変化',
  eventsAre: ([log = '0', apps = '0', sum = '0']: readonly string[]) =>
    `イベント：イベントログ ${log} + アプリからの報告 ${apps} = ${sum}。ログのイベントは記録された日に、セッションは発生した日に数えます。`,
  budget: '予算',
  budgetPurpose: 'プランに含まれる 1 か月のイベントに対する割合（%）です。',
  alertsAt: '所有者と管理者に知らせる割合',
  alertsAtHint: 'カンマ区切りで 5 つまで（例：50, 80, 100）。それぞれ月に 1 回通知します。',
  alertsAtFault: '1 から 1000 までの異なる整数をカンマ区切りで 5 つまで入力してください',
  stopAt: 'テレメトリーを破棄する割合',
  stopAtHint:
    '空欄 = 破棄しない。超えると、アプリが報告するセッションとイベントを月末まで破棄します。お金、アクセス、レシート、Webhook は破棄しません。',
  stopAtFault: '1 から 1000 までの整数を入力するか、空欄にしてください',
  saveBudget: '予算を保存',
  dropped: (count: string) => `今月、予算によりアプリのイベント ${count} 件が破棄されました。`,
}
