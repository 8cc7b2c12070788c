import { type Content, contentByName, sortDeep, unless, withoutEmpty } from '../../../projects/project-file/content'
import type { Saved } from '../../../projects/project-file/model'
import type { FunnelField, FunnelPage } from '../model'
import type { FunnelState } from './model'

/** The content of the funnels in an exported file. */
export const funnelsContent = (saved: readonly Saved<FunnelState>[]): Content => contentByName(saved, funnelContent)

const funnelContent = ({ name, defaultLocale, locales, published, theme, settings, pages }: FunnelState): Content => ({
  name,
  defaultLocale,
  ...(locales.join() !== defaultLocale && { locales }),
  ...withoutEmpty({
    publish: published === 'current' ? true : null,
    theme: sortDeep(theme),
    settings: withoutEmpty({ offering: settings.offering }),
    pages: pages.map(pageContent),
  }),
})

const pageContent = ({ id, type, title, fields, next }: FunnelPage): Content =>
  withoutEmpty({
    id,
    type,
    title: sortDeep(title),
    fields: fields.map(fieldContent),
    next: withoutEmpty({ rules: next.rules, default: next.default }),
  })

const fieldContent = ({ id, kind, required, options, min, max }: FunnelField): Content =>
  withoutEmpty({
    id,
    kind,
    required: unless(false, required),
    options: options.map((option) => withoutEmpty({ id: option.id, label: sortDeep(option.label) })),
    min,
    max,
  })
