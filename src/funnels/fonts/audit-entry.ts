import type { AuditEntry } from '../../projects/audit/audit'
import type { FaceRow, FamilyRow } from './queries'

export const familyEntry = (verb: 'create' | 'delete', { id, name }: FamilyRow): AuditEntry => ({
  action: `font_family.${verb}`,
  target: { type: 'font_family', id },
  before: verb === 'delete' ? { name } : null,
  after: verb === 'create' ? { name } : null,
})

/** A face is a part of its family, so its changes are changes of that. */
export const faceEntry = (familyId: string, before: FaceRow | null, after: FaceRow | null): AuditEntry => ({
  action: after === null ? 'font_face.delete' : 'font_face.create',
  target: { type: 'font_family', id: familyId },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = ({ id, weight, style, format, contentHash }: FaceRow) => ({ id, weight, style, format, contentHash })
