import type { FunnelPage } from '../model'
import { button, choices, heading, mailPage, open, page, question, say, text } from './parts'

const thanks = (title: FunnelPage['title'], content: FunnelPage['title']): FunnelPage =>
  page('done', title, null, { type: 'success', blocks: [heading('title', title), text('content', content)] })

const REASON = choices('reason', 'single', [
  ['price', say('It costs too much', 'Es ist zu teuer', 'Çok pahalı', '価格が高い')],
  ['unused', say('I do not use it', 'Ich nutze es nicht', 'Kullanmıyorum', '使っていない')],
  ['missing', say('Something is missing', 'Mir fehlt etwas', 'Bir şey eksik', '足りない機能がある')],
])

/** Why people cancel, in their own words where something is missing. */
export const CANCEL: readonly FunnelPage[] = [
  page('welcome', say('Before you go', 'Bevor du gehst', 'Gitmeden önce', '解約の前に'), 'reason', {
    blocks: [
      heading('title', say('Before you go', 'Bevor du gehst', 'Gitmeden önce', '解約の前に')),
      text(
        'about',
        say(
          'Two questions help us to do better. You can cancel in any case.',
          'Zwei Fragen helfen uns, besser zu werden. Kündigen kannst du auf jeden Fall.',
          'İki soru daha iyi olmamıza yardım eder. Her durumda iptal edebilirsin.',
          '2つの質問にお答えください。改善に役立てます。回答にかかわらず解約できます。',
        ),
      ),
      button('start', say('Answer', 'Antworten', 'Yanıtla', '答える')),
    ],
  }),
  question(
    REASON,
    say('Why do you leave?', 'Warum gehst du?', 'Neden ayrılıyorsun?', '解約の理由は何ですか？'),
    'done',
    [{ match: 'all', when: [{ field: 'reason', op: 'eq', value: 'missing' }], to: 'wish' }],
  ),
  page('wish', say('What is missing?', 'Was fehlt dir?', 'Ne eksik?', '何が足りませんか？'), 'done', {
    type: 'question',
    fields: [
      open('wish', 'text', say('In your words', 'In deinen Worten', 'Kendi sözlerinle', 'ご自由にお書きください'), {
        max: 500,
      }),
    ],
  }),
  thanks(
    say('Thank you', 'Danke', 'Teşekkürler', 'ありがとうございました'),
    say(
      'You cancel in the app or in the store in which you bought.',
      'Du kündigst in der App oder in dem Store, in dem du gekauft hast.',
      'İptali uygulamada ya da satın aldığın mağazada yaparsın.',
      '解約は、アプリまたは購入したストアで行えます。',
    ),
  ),
]

/** The address of a person, to send their link to. */
export const REFERRAL: readonly FunnelPage[] = [
  page(
    'welcome',
    say(
      'Give a month, get a month',
      'Einen Monat schenken, einen bekommen',
      'Bir ay hediye et, bir ay kazan',
      '1か月を贈って、1か月を受け取る',
    ),
    'mail',
    {
      blocks: [
        heading(
          'title',
          say(
            'Give a month, get a month',
            'Einen Monat schenken, einen bekommen',
            'Bir ay hediye et, bir ay kazan',
            '1か月を贈って、1か月を受け取る',
          ),
        ),
        text(
          'about',
          say(
            'A friend who begins with your link gets a month free, and so do you.',
            'Wer mit deinem Link beginnt, bekommt einen Monat gratis, und du auch.',
            'Bağlantınla başlayan arkadaşın bir ay ücretsiz kazanır, sen de.',
            'あなたのリンクから始めた友達と、あなたの両方が1か月無料になります。',
          ),
        ),
        button('start', say('Get my link', 'Meinen Link holen', 'Bağlantımı al', 'リンクを受け取る')),
      ],
    },
  ),
  mailPage(
    'done',
    say(
      'Where do we send your link?',
      'Wohin schicken wir deinen Link?',
      'Bağlantını nereye gönderelim?',
      'リンクの送付先を教えてください',
    ),
  ),
  thanks(
    say('Look into your mail', 'Sieh in deine E-Mails', 'E-postana bak', 'メールをご確認ください'),
    say('Your link is on its way.', 'Dein Link ist unterwegs.', 'Bağlantın yolda.', 'リンクをお送りします。'),
  ),
]

/** The address of people who wait for the app. */
export const WAITING_LIST: readonly FunnelPage[] = [
  mailPage('done', say('Be the first to know', 'Erfahre es zuerst', 'İlk sen öğren', '公開のお知らせを受け取る')),
  thanks(
    say('You are on the list', 'Du stehst auf der Liste', 'Listedesin', '登録しました'),
    say(
      'We write to you on the day when it opens.',
      'Wir schreiben dir an dem Tag, an dem es losgeht.',
      'Açıldığı gün sana yazarız.',
      '公開日にメールでお知らせします。',
    ),
  ),
]

const SIZE = choices('size', 'single', [
  ['one', say('Only me', 'Nur ich', 'Yalnız ben', '自分だけ')],
  ['few', say('2 to 20', '2 bis 20', '2–20', '2〜20人')],
  ['many', say('More than 20', 'Mehr als 20', '20’den fazla', '21人以上')],
])

/** Who asks, how to reach them, and for how many people. */
export const LEAD: readonly FunnelPage[] = [
  question(
    SIZE,
    say('For how many people?', 'Für wie viele Personen?', 'Kaç kişi için?', '何人で使いますか？'),
    'mail',
  ),
  page(
    'mail',
    say('How do we reach you?', 'Wie erreichen wir dich?', 'Sana nasıl ulaşalım?', 'ご連絡先を教えてください'),
    'done',
    {
      type: 'email',
      fields: [
        open('name', 'text', say('Name', 'Dein Name', 'Ad', 'お名前'), { required: true, max: 80, attribute: 'name' }),
        open('email', 'email', say('Mail address', 'E-Mail-Adresse', 'E-posta adresi', 'メールアドレス'), {
          required: true,
        }),
        open('phone', 'phone', say('Phone', 'Telefon', 'Telefon', '電話番号')),
      ],
    },
  ),
  thanks(
    say(
      'Thank you, {{answer.name|we have it}}',
      'Danke, {{answer.name|es ist da}}',
      'Teşekkürler, {{answer.name|aldık}}',
      '{{answer.name|お客様}}、ありがとうございます',
    ),
    say(
      'We answer within one working day.',
      'Wir antworten innerhalb eines Werktags.',
      'Bir iş günü içinde yanıtlarız.',
      '1営業日以内にご連絡します。',
    ),
  ),
]
