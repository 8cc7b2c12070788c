import { sectionKey } from '../../../projects/project-file/model'
import { checkedText, type Read } from '../../../projects/project-file/reader'
import { nameFault } from '../check'

export interface AudienceState {
  description: string | null
  rules: Record<string, unknown>
  /** The list of ids, as it is stored; null = none. */
  members: StoredMembers | null
}

export interface StoredMembers {
  hashes: string
  size: number
}

/** An audience in the form of the file. */
export interface AudienceEntry extends Omit<AudienceState, 'members'> {
  /** The ids; null where the file does not name them. Then the saved list stays. */
  members: readonly string[] | null
}

export const AUDIENCES = sectionKey<AudienceState, AudienceEntry>('audiences', 'audience')

/** The reason why a text cannot be the name of an audience, or null. */
export const checkAudienceName = (name: string): string | null => {
  const fault = nameFault(name)
  return fault === null ? null : `The name of an audience ${fault}`
}

/** Reads the name of an audience of the project. */
export const audienceName: Read<string> = (spot) => {
  const name = checkedText(255, checkAudienceName)(spot)
  if (name !== undefined) spot.refer(AUDIENCES, name, { code: 'VALIDATION_ERROR', details: () => null })
  return name
}
