import type { Schemas } from '../../../api/schemas'
import { isObject } from '../rules/model'

export interface FunnelVariant {
  /** The name of the test. */
  test: string
  name: string
  funnelId: string
}

type Test = Pick<Schemas['Experiment'], 'type' | 'status' | 'name' | 'variants'>

/** The variants of every test that shows this funnel, its own too; tests that are over have none. */
export const variantsBeside = (tests: readonly Test[], funnelId: string): FunnelVariant[] =>
  tests
    .filter(({ type, status }) => type === 'FUNNEL' && status !== 'COMPLETED')
    .map(funnelsOf)
    .filter((variants) => variants.some((one) => one.funnelId === funnelId))
    .flat()

const funnelsOf = ({ name: test, variants }: Test): FunnelVariant[] =>
  variants.flatMap((variant) => {
    if (!isObject(variant) || !isObject(variant.value)) return []
    const { funnelId } = variant.value
    return typeof funnelId === 'string' ? [{ test, name: String(variant.name), funnelId }] : []
  })
