import type { FunnelAction, FunnelBlock, FunnelField, FunnelPage, LocalText, PageType } from '../model'

/** The languages that every template has. The first one is the default. */
export const TEMPLATE_LOCALES = ['en', 'de', 'tr', 'ja'] as const

/** A text in all languages of the templates. */
export const say = (en: string, de: string, tr: string, ja: string): LocalText => ({ en, de, tr, ja })

type Choice = readonly [id: string, label: LocalText]

export const choices = (id: string, kind: 'single' | 'multi', options: readonly Choice[]): FunnelField => ({
  id,
  kind,
  required: kind === 'single',
  options: options.map(([own, label]) => ({ id: own, label })),
  min: null,
  max: null,
  attribute: id,
})

export const open = (id: string, kind: FunnelField['kind'], label: LocalText, more: Partial<FunnelField> = {}) => ({
  ...{ id, kind, required: false, options: [], min: null, max: null, label },
  ...more,
})

interface PageParts {
  type?: PageType
  fields?: readonly FunnelField[]
  blocks?: readonly FunnelBlock[]
  rules?: FunnelPage['next']['rules']
}

export const page = (id: string, title: LocalText, to: string | null, parts: PageParts = {}): FunnelPage => ({
  id,
  type: parts.type ?? 'info',
  title,
  fields: parts.fields ?? [],
  ...(parts.blocks && { blocks: parts.blocks }),
  next: { rules: parts.rules ?? [], default: to },
})

/** A page that asks one thing. */
export const question = (
  field: FunnelField,
  title: LocalText,
  to: string,
  rules: FunnelPage['next']['rules'] = [],
): FunnelPage => page(field.id, title, to, { type: 'question', fields: [field], rules })

export const heading = (id: string, text: LocalText): FunnelBlock => ({
  id,
  type: 'heading',
  props: { text, level: 1 },
})
export const text = (id: string, content: LocalText): FunnelBlock => ({ id, type: 'text', props: { text: content } })
export const list = (id: string, items: readonly LocalText[]): FunnelBlock => ({ id, type: 'list', props: { items } })

export const button = (
  id: string,
  label: LocalText,
  action: FunnelAction = { type: 'next' },
  isSecondary = false,
): FunnelBlock => ({ id, type: 'button', props: { label, action, ...(isSecondary && { isSecondary }) } })

/** The plans of the offering, how to pay, and what the visitor agrees to. */
export const selling = (): FunnelBlock[] => [
  { id: 'plans', type: 'plans', props: { packages: 'offering', layout: 'list', showPerDay: true } },
  { id: 'checkout', type: 'checkout', props: { layout: 'express_first' } },
  { id: 'legal', type: 'legal', props: {} },
]

/** The last page of a template that sells: the ways into the app. */
export const intoTheApp = (): FunnelPage =>
  page(
    'done',
    say(
      'Your plan is ready in the app',
      'Dein Plan wartet in der App',
      'Planın uygulamada hazır',
      'プランをアプリで使えます',
    ),
    null,
    {
      type: 'success',
      blocks: [
        heading(
          'title',
          say(
            'Your plan is ready in the app',
            'Dein Plan wartet in der App',
            'Planın uygulamada hazır',
            'プランをアプリで使えます',
          ),
        ),
        text(
          'how',
          say(
            'Install the app and open it with the link below. We also send you the link by mail.',
            'Installiere die App und öffne sie über den Link unten. Du bekommst ihn auch per E-Mail.',
            'Uygulamayı yükle ve aşağıdaki bağlantıyla aç. Bağlantıyı e-postayla da göndeririz.',
            'アプリをインストールして、下のリンクから開いてください。リンクはメールでもお送りします。',
          ),
        ),
        { id: 'stores', type: 'store_buttons', props: {} },
        { id: 'code', type: 'qr', props: {} },
      ],
    },
  )

/** The page that asks for the mail address. */
export const mailPage = (to: string, title: LocalText): FunnelPage => page('mail', title, to, { type: 'email' })
export const MAIL_TITLE = say(
  'Where do we send your plan?',
  'Wohin sollen wir deinen Plan schicken?',
  'Planını nereye gönderelim?',
  'プランの送付先を教えてください',
)
