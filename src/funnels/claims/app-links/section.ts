import { appLinksFaults } from '../../../core/app-links/check'
import {
  type AndroidAppLinks,
  type AppLinks,
  type IosAppLinks,
  MAX_APPS,
  MAX_ASSOCIATION_BYTES,
  MAX_FINGERPRINTS,
  MAX_STORE_URL,
  NO_APP_LINKS,
} from '../../../core/app-links/model'
import { isSame } from '../../../projects/project/edit'
import { form, must, orNone } from '../../../projects/project-file/form'
import { type Pair, sectionKey, type Wanted } from '../../../projects/project-file/model'
import { isChanged } from '../../../projects/project-file/pair'
import { sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import { list, type Read, text } from '../../../projects/project-file/reader'
import type { Planning, Section } from '../../../projects/project-file/section'
import { OBJECT_ID, replaceAppLinks } from './admin'
import { findAppLinks } from './queries'

const APP_LINKS = sectionKey<AppLinks>('appLinks', 'appLinks')

const id = text(255)
const storeUrl = text(MAX_STORE_URL)
const fingerprint: Read<string> = (spot) => id(spot)?.toUpperCase()

const IOS = form<IosAppLinks>({
  teamId: must(id, ''),
  bundleIds: must(list(id, MAX_APPS), []),
  scheme: must(id, ''),
  storeUrl: orNone(storeUrl),
})

const ANDROID = form<AndroidAppLinks>({
  packageNames: must(list(id, MAX_APPS), []),
  sha256Fingerprints: must(list(fingerprint, MAX_FINGERPRINTS), []),
  scheme: must(id, ''),
  storeUrl: orNone(storeUrl),
})

const FORM = form<AppLinks>({
  ios: orNone(IOS),
  android: orNone(ANDROID),
  applePayAssociation: orNone(text(MAX_ASSOCIATION_BYTES)),
})

const parse: Read<Wanted<AppLinks>[]> = (spot) => {
  const before = spot.problemCount
  const state = FORM(spot)
  if (state === undefined || spot.sketch) return undefined
  if (spot.problemCount === before)
    for (const { path, message } of appLinksFaults(state)) spot.failAt(stepsOf(path), sentenceOf({ path, message }))
  return [{ name: OBJECT_ID, was: null, path: spot.path, state }]
}

interface Rows {
  saved: AppLinks | null
}

/** The apps that links of funnels open: one object, which is gone when the file gives it no member. */
export const appLinksSection: Section<AppLinks, Rows, AppLinks, AppLinks[]> = {
  key: APP_LINKS,
  isOneObject: true,
  holdsJson: true,
  parse,
  load: async ({ handle, project }) => ({ saved: await findAppLinks(handle, project.id) }),
  names: ({ saved }) => new Map(saved ? [[OBJECT_ID, OBJECT_ID]] : []),
  current: ({ saved }) => (saved ? [{ id: OBJECT_ID, name: OBJECT_ID, formerName: OBJECT_ID, state: saved }] : []),
  plan,
  named: () => ({}),
  rows: ({ pairs }) => pairs.filter((pair) => isChanged(pair)).map(({ after }) => after ?? NO_APP_LINKS),
  async write(tx, projectId, changes) {
    const saved = await findAppLinks(tx, projectId)
    for (const links of changes) await replaceAppLinks(tx, projectId, saved, links)
  },
  content: (_saved, { saved }) => (saved ? FORM.write(saved) : undefined),
}

function plan({ wanted, rows: { saved }, prune }: Planning<AppLinks, Rows, AppLinks>): Pair<AppLinks>[] {
  const [given] = wanted ?? []
  if (!given && !saved) return []
  const isPruned = wanted !== null && prune && !given
  const after = given ? given.state : isPruned ? null : saved
  const names = { id: saved && OBJECT_ID, name: OBJECT_ID, formerName: saved && OBJECT_ID }
  const isGone = after !== null && isSame(after, NO_APP_LINKS)
  if (isGone && !saved) return []
  return [{ ...names, before: saved, after: isGone ? null : after, path: given?.path ?? null, isPruned }]
}
