import type { Schemas } from '../../../api/schemas'
import { isSame } from '../../../kit/draft'
import { isObject } from '../rules/model'

export type ExperimentView = Schemas['Experiment']
export type ExperimentType = ExperimentView['type']
export type Variant = Schemas['VariantRequest']

export interface ExperimentState {
  key: string
  name: string
  type: ExperimentType
  audienceId: string | null
  /** The attribute by which variants are drawn. */
  bucketBy: string | null
  variants: Variant[]
  metrics: string[]
  mutualExclusionGroup: string | null
  scheduledStartAt: string | null
  scheduledStopAt: string | null
  placementId: string | null
}

export const TYPES: readonly ExperimentType[] = ['FLAG', 'OFFERING', 'FUNNEL']

export const valueFor = (type: ExperimentType, index: number): unknown => {
  if (type === 'FLAG') return index > 0
  return type === 'OFFERING' ? '' : { funnelId: '' }
}

export const BLANK: ExperimentState = {
  key: '',
  name: '',
  type: 'FLAG',
  audienceId: null,
  bucketBy: null,
  variants: [
    { id: 'control', name: 'Control', weight: 0.5, value: false },
    { id: 'treatment', name: 'Treatment', weight: 0.5, value: true },
  ],
  metrics: ['purchase'],
  mutualExclusionGroup: null,
  scheduledStartAt: null,
  scheduledStopAt: null,
  placementId: null,
}

export const toState = (view: ExperimentView): ExperimentState => ({
  key: view.key,
  name: view.name,
  type: view.type,
  audienceId: view.audienceId,
  bucketBy: view.bucketBy,
  variants: variantsOf(view),
  metrics: view.metrics,
  mutualExclusionGroup: view.mutualExclusionGroup,
  scheduledStartAt: view.scheduledStartAt,
  scheduledStopAt: view.scheduledStopAt,
  placementId: view.placementId,
})

/** Values that were damaged in the database are left out. */
export const variantsOf = ({ variants }: ExperimentView): Variant[] =>
  variants.filter((one) => isObject(one)) as Variant[]

/** Only the members that changed: a time that has passed cannot be sent again. */
export function changeOf(state: ExperimentState, base: ExperimentState): Schemas['ExperimentChange'] {
  const members = Object.entries(state).filter(([name, value]) => !isSame(value, base[name as keyof ExperimentState]))
  return Object.fromEntries(members)
}

/** Shares of two decimals that add up to 1; the first ones take what is left over. */
export function evenly(variants: readonly Variant[]): Variant[] {
  const share = Math.floor(100 / variants.length)
  const left = 100 - share * variants.length
  return variants.map((variant, index) => ({ ...variant, weight: (share + (index < left ? 1 : 0)) / 100 }))
}

/** In per cent. The server takes what is a millionth off, such as three times 33.3333, for 100. */
export function sumOf(variants: readonly Variant[]): number {
  const sum = variants.reduce((total, { weight }) => total + weight, 0)
  return Math.abs(sum - 1) <= 1e-6 + 1e-12 ? 100 : Number((sum * 100).toFixed(4))
}

export function freshId(variants: readonly Variant[]): string {
  const taken = new Set(variants.map(({ id }) => id))
  const letters = [...'abcdefghijklmnopqrst']
  return letters.find((id) => !taken.has(id)) ?? `v${variants.length}`
}

export const TONES = { DRAFT: 'mute', RUNNING: 'good', PAUSED: 'warn', COMPLETED: 'info' } as const
