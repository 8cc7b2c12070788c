import { Download, Upload } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import type { FunnelPage } from '../../../../core/funnel/model'
import { keyOf, withTextAt } from '../../../../core/funnel/translations'
import { type Placed, textsOf } from '../../../../core/funnel/walk'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button, DownloadButton, IconButton } from '../../../kit/button'
import { Card, Stack } from '../../../kit/card'
import { FormFailure } from '../../../kit/failure'
import { Checkbox, Field, Select, TextArea, TextInput } from '../../../kit/field'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { Editable } from './editable'
import { pageName } from './lines'
import { missingIn } from './problems'
import { type Builder, REFRESHES } from './use-funnel-edit'
import { useFunnelWords, useLanguageName } from './use-words'

/** Every text beside the one in the default language, and the languages of the funnel. */
export function TextsView({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const languageName = useLanguageName()
  const { state } = builder
  const others = state.locales.filter((locale) => locale !== state.defaultLocale)
  const [given, setLocale] = useParam('locale', others[0] ?? '')
  const [wants, setWants] = useParam('missing')
  const locale = others.includes(given) ? given : (others[0] ?? null)
  return (
    <Stack>
      <Languages builder={builder} />
      {locale !== null && (
        <Card
          title={t.tabs.texts}
          aside={
            <>
              <Select
                aria-label={t.language}
                className="w-auto"
                value={locale}
                onChange={({ target }) => setLocale(target.value)}
                options={others.map(
                  (one) => [one, t.languageMissing(languageName(one), missingIn(state, one))] as const,
                )}
              />
              <Checkbox
                label={t.onlyMissing}
                checked={wants === 'only'}
                onChange={(isOn) => setWants(isOn ? 'only' : null)}
              />
            </>
          }
        >
          <Editable builder={builder}>
            <div className="grid gap-6">
              {state.pages.map((page) => (
                <PageTexts key={page.id} {...{ builder, page, locale }} onlyMissing={wants === 'only'} />
              ))}
            </div>
          </Editable>
        </Card>
      )}
      <Exchange builder={builder} />
    </Stack>
  )
}

interface PageTextsProps {
  builder: Builder
  page: FunnelPage
  locale: string
  onlyMissing: boolean
}

function PageTexts({ builder, page, locale, onlyMissing }: PageTextsProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { state, change } = builder
  const index = state.pages.indexOf(page)
  const written = textsOf([page, `pages[${index}]`]).filter(([text]) => Object.keys(text).length > 0)
  // A text that is being written must not go away at its first letter.
  const [first] = useState(() => new Set(written.filter(([text]) => !text[locale]).map(([, path]) => path)))
  const shown: Placed<Readonly<Record<string, string>>>[] = onlyMissing
    ? written.filter(([text, path]) => !text[locale] || first.has(path))
    : written
  if (shown.length === 0) return null
  const put = (path: string, text: string) => {
    const key = keyOf(state, path)
    change((before) => ({ ...before, pages: withTextAt(before, key, locale, text) }), `${key}.${locale}`)
  }
  return (
    <section className="grid gap-3">
      <h3 className="text-sm font-semibold">{pageName(page, state, words)}</h3>
      {shown.map(([text, path]) => (
        <Field
          key={path}
          label={text[state.defaultLocale] ?? keyOf(state, path)}
          {...(!text[locale] && { hint: t.missing(words.languageName(state.defaultLocale)) })}
        >
          <TextArea
            rows={1}
            lang={locale}
            maxLength={2000}
            className={text[locale] ? '' : 'border-dashed'}
            value={text[locale] ?? ''}
            onChange={({ target }) => put(path, target.value)}
          />
        </Field>
      ))}
    </section>
  )
}

function Languages({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const common = useText('common')
  const languageName = useLanguageName()
  const [added, setAdded] = useState('')
  const { state, change, reason } = builder
  const isTag = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(added) && !state.locales.includes(added)
  const add = () => {
    change((before) => ({ ...before, locales: [...before.locales, added] }))
    setAdded('')
  }
  return (
    <Card title={words.languages}>
      <Editable builder={builder}>
        <div className="grid items-end gap-4 md:grid-cols-2">
          <ul className="flex flex-wrap gap-2">
            {state.locales.map((locale) => (
              <li key={locale} className="inline-flex items-center gap-1 rounded-chip border border-line pl-2 text-sm">
                {languageName(locale)} <span className="font-mono text-xs text-ink-2">{locale}</span>
                <IconButton
                  label={`${common.remove}: ${languageName(locale)}`}
                  disabled={locale === state.defaultLocale}
                  onClick={() =>
                    change((before) => ({ ...before, locales: before.locales.filter((one) => one !== locale) }))
                  }
                >
                  <span aria-hidden>{locale === state.defaultLocale ? '' : '×'}</span>
                </IconButton>
              </li>
            ))}
          </ul>
          <Field label={words.defaultLanguage}>
            <Select
              value={state.defaultLocale}
              onChange={({ target }) => change((before) => ({ ...before, defaultLocale: target.value }))}
              options={state.locales.map((locale) => [locale, languageName(locale)] as const)}
            />
          </Field>
          <Field label={t.addLanguage} hint={t.languageHint}>
            <TextInput
              className="font-mono"
              value={added}
              maxLength={35}
              onChange={({ target }) => setAdded(target.value)}
            />
          </Field>
          <div>
            <Button reason={reason} disabled={!isTag} onClick={add}>
              {common.add}
            </Button>
          </div>
        </div>
      </Editable>
    </Card>
  )
}

/** Texts as files for translators, of the saved draft, and back. */
function Exchange({ builder: { funnel, edit, reason } }: { builder: Builder }) {
  const t = useText('funnels')
  const { api: base, path } = useProject()
  const action = useAction({
    run: (body: { format: 'csv' | 'xliff'; text: string }) =>
      api.post('/dashboard/projects/{projectId}/funnels/{id}/translate-template', {
        params: { path: { ...path, id: funnel.id } },
        headers: { 'If-Match': `"${funnel.revision}"` },
        body,
      }),
    refreshes: REFRESHES,
    onDone: ({ changed, unknown }) => toast(t.imported(changed, unknown.length)),
  })
  const onFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (!file) return
    const text = await file.text()
    target.value = ''
    action.submit({ format: /<xliff\b/.test(text) ? 'xliff' : 'csv', text })
  }
  const unsaved = edit.draft.isChanged ? t.saveFirst : reason
  return (
    <Card title={t.translators}>
      <div className="grid gap-3">
        <p className="text-sm text-ink-2">{t.translatorsHint}</p>
        <FormFailure error={action.error} />
        <div className="flex flex-wrap gap-2">
          {(['csv', 'xliff'] as const).map((format) => (
            <DownloadButton
              key={format}
              icon={<Download aria-hidden size={14} />}
              href={`${base}/funnels/${funnel.id}/translate-template?format=${format}`}
            >
              {format.toUpperCase()}
            </DownloadButton>
          ))}
          {unsaved === null ? (
            <label className="inline-flex h-7.5 cursor-pointer items-center gap-1.5 rounded-control border border-line-2 bg-surface px-3 text-sm font-medium focus-within:outline-2 focus-within:outline-accent hover:bg-hover max-md:h-9">
              <Upload aria-hidden size={14} /> {t.importFile}
              <input
                type="file"
                accept=".csv,.xliff,.xlf"
                className="sr-only"
                onChange={(event) => void onFile(event)}
              />
            </label>
          ) : (
            <Button reason={unsaved}>{t.importFile}</Button>
          )}
        </div>
      </div>
    </Card>
  )
}
