import { sectionKey } from '../../../projects/project-file/model'
import { checkedText, type Read } from '../../../projects/project-file/reader'
import { nameFault } from '../check'

export interface AudienceState {
  description: string | null
  rules: Record<string, unknown>
}

export const AUDIENCES = sectionKey<AudienceState>('audiences', 'audience')

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
