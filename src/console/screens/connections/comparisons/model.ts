import type { Schemas } from '../../../api/schemas'

export type Run = Schemas['Comparison']
export type Kind = Schemas['ComparisonFinding']['kind']

export const PATH = '/dashboard/projects/{projectId}/compare'

export const KINDS = [
  ...(['ACCESS_ONLY_THERE', 'ACCESS_ONLY_HERE', 'OTHER_END', 'OTHER_PRODUCT', 'OTHER_STORE'] as const),
  ...(['PURCHASE_ONLY_THERE', 'PURCHASE_ONLY_HERE', 'OTHER_OWNER', 'OTHER_STATE'] as const),
  ...(['PERSON_UNKNOWN_THERE', 'PERSON_UNKNOWN_HERE', 'FAULT'] as const),
]

export const kindOf = (text: string): Kind | null => KINDS.find((one) => one === text) ?? null
