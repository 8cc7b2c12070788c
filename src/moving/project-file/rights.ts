import { AppError } from '../../base/errors'
import { type Right, rightToChange } from '../../core/roles/file-rights'
import { hasCapability, hasRole, type MemberRole } from '../../core/roles/roles'
import { hasScope, notOpened, outOfScope, type Scopes } from '../../projects/doors/scopes'
import type { ObjectChange } from '../../projects/project-file/changes'
import type { ParsedFile } from '../../projects/project-file/parse'

/** Who changes a project with a file: their role, and what their token may do of it. */
export interface FileAuthor {
  role: MemberRole
  scopes: Scopes
}

/** 403 `CAPABILITY_REQUIRED`, `ROLE_REQUIRED` or `FORBIDDEN` for the first change that the author may not make. */
export function refuseWithoutRight(author: FileAuthor, changes: readonly ObjectChange[]): void {
  for (const kind of new Set(changes.map((change) => change.kind))) refuse(author, rightToChange(kind))
}

/** Whether the author may change every section that the file has. */
export const mayChangeAll = (author: FileAuthor, { sections, wanted }: Pick<ParsedFile, 'sections' | 'wanted'>) =>
  sections.filter(({ key }) => wanted.has(key.name)).every(({ key }) => mayChange(author, rightToChange(key.kind)))

function refuse({ role, scopes }: FileAuthor, right: Right): void {
  if (mayChange({ role, scopes }, right)) return
  if (hasRight(role, right)) throw 'role' in right ? notOpened('POST') : outOfScope(role, right.capability)
  if ('role' in right) throw new AppError('ROLE_REQUIRED', { role, requiredRole: right.role })
  throw new AppError('CAPABILITY_REQUIRED', { role, capability: right.capability })
}

const mayChange = ({ role, scopes }: FileAuthor, right: Right): boolean =>
  hasRight(role, right) && ('role' in right ? scopes === null : hasScope(scopes, right.capability))

const hasRight = (role: MemberRole, right: Right): boolean =>
  'role' in right ? hasRole(role, right.role) : hasCapability(role, right.capability)
