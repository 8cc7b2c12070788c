import type { RowChanges } from '../../../../base/db/row-changes'
import { lost, tooMany } from '../../../project-file/checks'
import { contentByName, sortDeep, withoutEmpty } from '../../../project-file/content'
import { description, label, metadata } from '../../../project-file/fields'
import { objects } from '../../../project-file/objects'
import { planObjects } from '../../../project-file/pair'
import type { Section } from '../../../project-file/section'
import { changed, savedAs } from '../../../project-file/stored'
import { MOST } from '../../rules'
import { loadCatalogRows } from '../../service'
import type { Access } from '../../snapshot'
import { writeCatalogPart } from '../write'
import { ACCESS, type AccessState } from './model'

/** The access levels of a project. */
export const accessSection: Section<AccessState, readonly Access[], AccessState, RowChanges<Access>> = {
  key: ACCESS,
  idPrefix: 'acc',
  takenCode: 'IDENTIFIER_TAKEN',
  parse: objects((members) => ({
    displayName: members.required('displayName', label, ''),
    description: members.optional('description', description, null),
    metadata: members.optional('metadata', metadata, {}),
  })),
  load: async ({ once }) => (await once(loadCatalogRows)).access,
  names: (rows) => new Map(rows.map(({ id, identifier }) => [id, identifier])),
  current: (rows, names) => rows.map((row) => savedAs(names.of(ACCESS), row.id, row.identifier, stateOf(row))),
  plan: (given) => planObjects(given),
  check: ({ pairs, users }) => [...lost(ACCESS, pairs, users), ...tooMany(ACCESS, pairs, MOST.access)],
  named: (identifier) => ({ identifier }),
  rows: ({ pairs }) => changed(pairs, (id, identifier, state) => ({ id, identifier, ...state })),
  write: (tx, projectId, access) => writeCatalogPart(tx, projectId, { access }),
  content: (saved) => contentByName(saved, (state) => withoutEmpty({ ...state, metadata: sortDeep(state.metadata) })),
}

const stateOf = ({ displayName, description, metadata }: Access): AccessState => ({
  displayName,
  description,
  metadata,
})
