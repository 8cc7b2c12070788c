import type { AuditEntry } from '../../projects/audit/audit'
import type { ImportJobRow } from './queries'

/** The audit entry of an import: the file and how it is read, never a row of it. */
export const importEntry = (verb: string, before: ImportJobRow | null, after: ImportJobRow): AuditEntry => ({
  action: `import.${verb}`,
  target: { type: 'import', id: after.id },
  before: before && imageOf(before),
  after: imageOf(after),
})

const imageOf = ({ kind, status, preset, fileName, files, mapping, options }: ImportJobRow) => ({
  ...{ kind, status, preset, fileName, mapping, options },
  files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })).slice(0, MAX_FILES),
})

const MAX_FILES = 20
