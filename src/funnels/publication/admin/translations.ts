import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { AppError } from '../../../base/errors'
import { fromCsvText, toCsvLine } from '../../../base/http/csv'
import type { FunnelContent } from '../../../core/funnel/model'
import { type TextRow, textRows, withTranslations } from '../../../core/funnel/translations'
import { fromXliff, toXliff } from '../../../core/funnel/xliff'
import { readCsv } from '../../../core/text/csv-read'
import { editProject, type ProjectActor } from '../../../projects/project/edit'
import { getFunnel } from '../service'
import { changedDraft } from './draft'
import { refuseArchived, requireFunnel } from './edit-funnel'
import { save } from './save'
import type { FunnelView } from './view'

export type TextFormat = 'csv' | 'xliff'

/** Every text of the draft for translators, in each of its languages (funnels 10). */
export async function exportTexts(
  handle: Handle,
  projectId: string,
  id: string,
  format: TextFormat,
): Promise<{ slug: string; text: string }> {
  const { slug, draft } = await getFunnel(handle, projectId, id)
  const rows = textRows(draft)
  return { slug, text: format === 'xliff' ? toXliff(rows, draft) : csvOf(rows, draft) }
}

function csvOf(rows: readonly TextRow[], { defaultLocale, locales }: FunnelContent): string {
  const columns = [defaultLocale, ...locales.filter((locale) => locale !== defaultLocale)]
  const lines = rows.map(({ key, texts }) => toCsvLine([key, ...columns.map((locale) => texts[locale] ?? null)]))
  return [toCsvLine(['key', ...columns]), ...lines].join('')
}

export interface ImportedTexts {
  funnel: FunnelView
  /** How many texts are others now. */
  changed: number
  /** The keys that name no text of the draft; they were left out. */
  unknown: string[]
}

/**
 * Puts translated texts into the draft. An empty text leaves the one that is there. 400 `VALIDATION_ERROR` for a file
 * that cannot be read, and for a language that the funnel does not have.
 */
export const importTexts = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  { format, text }: { format: TextFormat; text: string },
): Promise<ImportedTexts> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireFunnel(edit, id, by.expected)
    refuseArchived(row)
    const rows = readTexts(format, text)
    refuseOtherLanguages(rows, row.draft.locales)
    const { pages, changed, unknown } = withTranslations(row.draft, rows)
    const draft = await changedDraft(edit.tx, edit.projectId, row.draft, { pages })
    return { funnel: await save(edit, row, { draft }, 'update'), changed, unknown }
  })

function readTexts(format: TextFormat, text: string): TextRow[] {
  const rows = format === 'xliff' ? fromXliff(text) : fromCsv(text)
  if (rows) return rows
  const expected = format === 'xliff' ? 'an XLIFF 1.2 file' : 'a CSV table whose first column is key'
  throw new AppError('VALIDATION_ERROR', { fields: ['text'] }, { message: `text must be ${expected}` })
}

function fromCsv(text: string): TextRow[] | null {
  const [header, ...records] = readCsv(text) ?? []
  if (header?.[0] !== 'key') return null
  const locales = header.slice(1)
  const textsOf = (cells: readonly string[]) =>
    Object.fromEntries(locales.map((locale, index) => [locale, fromCsvText(cells[index] ?? '')]))
  return records.map(([key = '', ...cells]) => ({ key, texts: textsOf(cells) })).filter(({ key }) => key !== '')
}

function refuseOtherLanguages(rows: readonly TextRow[], locales: readonly string[]): void {
  const others = new Set(rows.flatMap(({ texts }) => Object.keys(texts)).filter((name) => !locales.includes(name)))
  if (others.size === 0) return
  const message = `text has the languages ${[...others].slice(0, 10).join(', ')}, which the funnel does not have; add them to locales first`
  throw new AppError('VALIDATION_ERROR', { fields: ['text'] }, { message })
}
