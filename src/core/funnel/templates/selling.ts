import type { FunnelPage } from '../model'
import {
  button,
  choices,
  heading,
  intoTheApp,
  list,
  MAIL_TITLE,
  mailPage,
  open,
  page,
  question,
  say,
  selling,
  text,
} from './parts'

const OFFER = say('Choose your plan', 'Wähle deinen Plan', 'Planını seç', 'プランを選ぶ')
const offer = (blocks: NonNullable<FunnelPage['blocks']>): FunnelPage =>
  page('offer', OFFER, 'done', { type: 'payment', blocks: [...blocks, ...selling()] })

const GOAL = choices('goal', 'single', [
  ['calm', say('Less stress', 'Weniger Stress', 'Daha az stres', 'ストレスを減らす')],
  ['energy', say('More energy', 'Mehr Energie', 'Daha çok enerji', '活力を高める')],
  ['habit', say('A new habit', 'Eine neue Gewohnheit', 'Yeni bir alışkanlık', '新しい習慣を作る')],
])

const STRESS = choices('stress', 'multi', [
  ['work', say('Work', 'Die Arbeit', 'İş', '仕事')],
  ['family', say('Family', 'Die Familie', 'Aile', '家族')],
  ['sleep', say('Bad sleep', 'Schlechter Schlaf', 'Kötü uyku', '睡眠不足')],
])

const TIME = choices('minutes', 'single', [
  ['five', say('5 minutes', '5 Minuten', '5 dakika', '5分')],
  ['ten', say('10 minutes', '10 Minuten', '10 dakika', '10分')],
  ['twenty', say('20 minutes', '20 Minuten', '20 dakika', '20分')],
])

/** Questions, one branch, a mail address and the plans. */
export const QUIZ: readonly FunnelPage[] = [
  page('welcome', say('Find your plan', 'Finde deinen Plan', 'Planını bul', 'あなたのプランを見つける'), 'goal', {
    blocks: [
      heading('title', say('Find your plan', 'Finde deinen Plan', 'Planını bul', 'あなたのプランを見つける')),
      text(
        'about',
        say(
          'A few questions, one minute. Your answers decide what the app shows first.',
          'Ein paar Fragen, eine Minute. Deine Antworten bestimmen, was die App zuerst zeigt.',
          'Birkaç soru, bir dakika. Uygulamanın önce ne göstereceğine yanıtların karar verir.',
          'いくつかの質問に1分で答えられます。回答に応じて、アプリが最初に表示する内容が決まります。',
        ),
      ),
      button('start', say('Begin', 'Beginnen', 'Başla', '始める')),
    ],
  }),
  question(
    GOAL,
    say('What do you want to reach?', 'Was möchtest du erreichen?', 'Neye ulaşmak istiyorsun?', '目標は何ですか？'),
    'minutes',
    [{ match: 'all', when: [{ field: 'goal', op: 'eq', value: 'calm' }], to: 'stress' }],
  ),
  question(
    STRESS,
    say('What causes stress?', 'Was verursacht Stress?', 'Strese ne yol açıyor?', 'ストレスの原因は何ですか？'),
    'minutes',
  ),
  question(
    TIME,
    say(
      'How much time a day do you have?',
      'Wie viel Zeit hast du am Tag?',
      'Günde ne kadar zamanın var?',
      '1日に使える時間はどれくらいですか？',
    ),
    'age',
  ),
  page('age', say('How old are you?', 'Wie alt bist du?', 'Kaç yaşındasın?', '年齢を教えてください'), 'mail', {
    type: 'question',
    fields: [open('age', 'number', say('Years', 'Jahre', 'Yaş', '歳'), { required: true, min: 16, max: 120 })],
  }),
  mailPage('plan', MAIL_TITLE),
  page(
    'plan',
    say(
      'We put your plan together',
      'Wir stellen deinen Plan zusammen',
      'Planını hazırlıyoruz',
      'プランを作成しています',
    ),
    'offer',
    {
      type: 'loader',
    },
  ),
  offer([
    heading('title', say('Your plan is ready', 'Dein Plan ist fertig', 'Planın hazır', 'プランができました')),
    text(
      'why',
      say(
        'Made for: **{{answer.goal|your goal}}**.',
        'Gemacht für: **{{answer.goal|dein Ziel}}**.',
        'Şunun için hazırlandı: **{{answer.goal|hedefin}}**.',
        '目標：**{{answer.goal|あなたの目標}}**',
      ),
    ),
  ]),
  intoTheApp(),
]

/** What the trial is, the mail address, the plans. */
export const TRIAL: readonly FunnelPage[] = [
  page('welcome', say('Try it free', 'Teste kostenlos', 'Ücretsiz dene', '無料で試す'), 'mail', {
    blocks: [
      heading('title', say('Try it free', 'Teste kostenlos', 'Ücretsiz dene', '無料で試す')),
      list('steps', [
        say(
          'Today: everything is open',
          'Heute: alles ist offen',
          'Bugün: her şey açık',
          '今日：すべての機能が使えます',
        ),
        say(
          'Before it ends: we remind you',
          'Vor dem Ende: wir erinnern dich',
          'Bitmeden önce: sana hatırlatırız',
          '終了前：お知らせします',
        ),
        say('Cancel at any time', 'Jederzeit kündbar', 'İstediğin zaman iptal et', 'いつでも解約できます'),
      ]),
      button('start', say('Go on', 'Weiter', 'Devam', '続ける')),
    ],
  }),
  mailPage('offer', MAIL_TITLE),
  offer([heading('title', say('Start your trial', 'Starte deine Testphase', 'Denemeni başlat', '無料体験を始める'))]),
  intoTheApp(),
]

/** For people who left: what is new, and the plans. */
export const WIN_BACK: readonly FunnelPage[] = [
  page('welcome', say('Welcome back', 'Willkommen zurück', 'Yeniden hoş geldin', 'おかえりなさい'), 'offer', {
    blocks: [
      heading('title', say('Welcome back', 'Willkommen zurück', 'Yeniden hoş geldin', 'おかえりなさい')),
      text(
        'news',
        say(
          'This is new since you left:',
          'Das ist neu, seit du weg warst:',
          'Sen yokken bunlar yenilendi:',
          'ご利用いただいていない間の新機能：',
        ),
      ),
      list('list', [
        say('A faster app', 'Eine schnellere App', 'Daha hızlı bir uygulama', 'アプリが速くなりました'),
        say('Your data is still there', 'Deine Daten sind noch da', 'Verilerin hâlâ duruyor', 'データは残っています'),
      ]),
      button('start', say('See the offer', 'Angebot ansehen', 'Teklifi gör', '特典を見る')),
    ],
  }),
  offer([heading('title', say('Come back today', 'Komm heute zurück', 'Bugün geri dön', '今日から再開'))]),
  intoTheApp(),
]

/** For people with a plan: what the larger one has, and the plans. */
export const UPGRADE: readonly FunnelPage[] = [
  page(
    'welcome',
    say(
      'More with the larger plan',
      'Mehr mit dem größeren Plan',
      'Büyük planla daha fazlası',
      '上位プランでさらに便利に',
    ),
    'offer',
    {
      blocks: [
        heading(
          'title',
          say(
            'More with the larger plan',
            'Mehr mit dem größeren Plan',
            'Büyük planla daha fazlası',
            '上位プランでさらに便利に',
          ),
        ),
        list('list', [
          say(
            'Everything that you have now',
            'Alles, was du jetzt hast',
            'Şu an sahip olduğun her şey',
            '現在の機能すべて',
          ),
          say('No limits', 'Keine Grenzen', 'Sınır yok', '制限なし'),
          say('Help within a day', 'Hilfe innerhalb eines Tages', 'Bir gün içinde destek', '1日以内のサポート'),
        ]),
        button('start', say('Compare the plans', 'Pläne vergleichen', 'Planları karşılaştır', 'プランを比べる')),
      ],
    },
  ),
  offer([heading('title', OFFER)]),
  intoTheApp(),
]
