import type { RowChanges } from '../../../base/db/row-changes'
import { contentByName } from '../../../core/project-file/content'
import { description, label, metadata } from '../../project-file/fields'
import { type Formed, form, may, must, objects, orNone } from '../../project-file/form'
import { sectionKey } from '../../project-file/model'
import { changed, lost, planObjects, savedAs, tooMany } from '../../project-file/pair'
import type { Section } from '../../project-file/section'
import { MOST } from '../rules'
import { loadCatalogRows, writeCatalog } from '../service'
import type { Access } from '../snapshot'

const FORM = form({
  displayName: must(label, ''),
  description: orNone(description),
  metadata: may(metadata, {}),
})

type AccessState = Formed<typeof FORM>

export const ACCESS = sectionKey<AccessState>('access', 'access')

/** The access levels of a project. */
export const accessSection: Section<AccessState, readonly Access[], AccessState, RowChanges<Access>> = {
  key: ACCESS,
  idPrefix: 'acc',
  takenCode: 'IDENTIFIER_TAKEN',
  parse: objects(FORM.from),
  load: async ({ once }) => (await once(loadCatalogRows)).access,
  names: (rows) => new Map(rows.map(({ id, identifier }) => [id, identifier])),
  current: (rows, names) => rows.map((row) => savedAs(names.of(ACCESS), row.id, row.identifier, FORM.pick(row))),
  plan: (given) => planObjects(given),
  check: ({ pairs, users }) => [...lost(ACCESS, pairs, users), ...tooMany(ACCESS, pairs, MOST.access)],
  named: (identifier) => ({ identifier }),
  rows: ({ pairs }) => changed(pairs, (id, identifier, state) => ({ id, identifier, ...state })),
  write: (tx, projectId, access) => writeCatalog(tx, projectId, { access }),
  content: (saved) => contentByName(saved, FORM.write),
}
