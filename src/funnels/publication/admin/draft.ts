import type { Tx } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { MAX_LOCALES } from '../../../core/funnel/limits'
import { isLocale } from '../../../core/funnel/locale'
import type { FunnelContent, FunnelSettings } from '../../../core/funnel/model'
import { readPages } from '../../../core/funnel/pages'
import { missingFiles } from '../../../core/funnel/publish'
import { Reading } from '../../../core/funnel/reading'
import { readSettings } from '../../../core/funnel/settings'
import { savedSettings } from '../../../core/funnel/settings-form'
import { readTheme } from '../../../core/funnel/theme'
import { assetsOf, fontsOf } from '../../../core/funnel/walk'
import { type Fault, faultAt } from '../../../core/text/fault'
import { listOfferingNames } from '../../../projects/catalog/service'
import { refuseFaults } from '../../../projects/project/edit'
import { knownFiles } from '../files'

/** The parts of a draft as callers send them; a part that is absent stays. */
export interface GivenDraft {
  pages?: unknown
  theme?: unknown
  settings?: unknown
  defaultLocale?: string
  locales?: readonly string[]
}

/**
 * The draft after a change. 400 `VALIDATION_ERROR` with every fault of shape at its place, `UNKNOWN_REFERENCES` for an
 * offering that the project does not have, `asset_missing` for files. Whether the draft can be published is judged later.
 */
export async function changedDraft(
  tx: Tx,
  projectId: string,
  before: FunnelContent,
  given: GivenDraft,
): Promise<FunnelContent> {
  const reading = new Reading()
  const pages = given.pages === undefined ? null : readPages(given.pages)
  const theme = given.theme === undefined ? before.theme : readTheme(reading, given.theme, 'theme')
  const settings = given.settings === undefined ? null : readSettings(reading, given.settings, 'settings')
  const languages = readLanguages(before, given)
  refuseFaults([...(pages?.faults ?? []), ...reading.faults, ...languages.faults])
  const draft = {
    pages: pages?.pages ?? before.pages,
    theme,
    settings: settings === null ? before.settings : await saved(tx, projectId, settings),
    defaultLocale: languages.defaultLocale,
    locales: languages.locales,
  }
  await refuseMissing(tx, projectId, {
    ...draft,
    ...(given.pages === undefined && { pages: [] }),
    ...(given.theme === undefined && { theme: {} }),
  })
  return draft
}

type Languages = Pick<FunnelContent, 'defaultLocale' | 'locales'> & { faults: Fault[] }

function readLanguages(before: FunnelContent, given: GivenDraft): Languages {
  const { defaultLocale = before.defaultLocale } = given
  const locales = [
    ...new Set(
      given.locales ?? (given.defaultLocale === undefined ? before.locales : [...before.locales, defaultLocale]),
    ),
  ]
  const faults = [
    ...(isLocale(defaultLocale) ? [] : [localeFault('defaultLocale')]),
    ...locales.flatMap((locale, index) => (isLocale(locale) ? [] : [localeFault(`locales[${index}]`)])),
    ...(locales.length > MAX_LOCALES ? [faultAt('locales', `must not be more than ${MAX_LOCALES}`)] : []),
  ]
  return { defaultLocale, locales, faults }
}

const localeFault = (path: string): Fault => faultAt(path, 'must be a language tag (BCP 47) such as en or tr-TR')

async function saved(tx: Tx, projectId: string, settings: ReturnType<typeof readSettings>): Promise<FunnelSettings> {
  const { offering } = settings
  if (offering === undefined) return savedSettings(settings, null)
  const names = await listOfferingNames(tx, projectId)
  const id = [...names].find(([, name]) => name === offering)?.[0]
  if (id === undefined) throw new AppError('UNKNOWN_REFERENCES', { resource: 'offering', ids: [offering] })
  return savedSettings(settings, id)
}

/** 400 `asset_missing` with the places of the files and fonts that a change names and the project does not have. */
async function refuseMissing(tx: Tx, projectId: string, draft: FunnelContent): Promise<void> {
  if (assetsOf(draft).length + fontsOf(draft).length === 0) return
  const paths = missingFiles(draft, await knownFiles(tx, projectId)).map(({ path }) => path)
  if (paths.length > 0) throw new AppError('asset_missing', { paths })
}
