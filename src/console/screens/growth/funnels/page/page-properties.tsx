import { type FunnelPage, PAGE_TYPES, type PageType } from '../../../../../core/funnel/model'
import { Card } from '../../../../kit/card'
import { Field, Select } from '../../../../kit/field'
import { useText } from '../../../../text/catalogue'
import { Editable } from '../editable'
import { WaysCard } from '../flow/ways'
import { LocalField } from '../local-field'
import { withPage } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { Fields } from './fields'

interface PagePropertiesProps {
  builder: Builder
  page: FunnelPage
  locale: string
}

/** The page itself: its title, its kind, its fields and where it leads. */
export function PageProperties({ builder, page, locale }: PagePropertiesProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  return (
    <>
      <Card title={t.thisPage} aside={<span className="font-mono text-xs">{page.id}</span>}>
        <Editable builder={builder}>
          <div className="grid gap-4">
            <LocalField
              {...{ builder, locale }}
              label={t.title}
              value={page.title}
              onChange={(title) =>
                builder.change((state) => withPage(state, page.id, (one) => ({ ...one, title })), `${page.id}.title`)
              }
            />
            <Field label={words.kind} hint={page.type === 'email' ? t.emailHint : undefined}>
              <Select
                value={page.type}
                onChange={({ target }) =>
                  builder.change((state) =>
                    withPage(state, page.id, (one) => ({ ...one, type: target.value as PageType })),
                  )
                }
                options={PAGE_TYPES.map((type) => [type, words.pageTypes[type]] as const)}
              />
            </Field>
          </div>
        </Editable>
      </Card>
      <Fields builder={builder} page={page} locale={locale} />
      <WaysCard builder={builder} page={page} />
    </>
  )
}
