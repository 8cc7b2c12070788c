import type { Context } from '../../src/base/context'
import type { FlagRow, FlagRule } from '../../src/core/flag/schema'
import { touchConfig } from '../../src/projects/project/service'
import { writeAudiences } from '../../src/targeting/audiences/service'
import { writeExperiments } from '../../src/targeting/experiments/stored-experiments'
import { writeFlags } from '../../src/targeting/flags/service'
import type { CastProject } from '../support/cast'

// Remote configuration of a large app: 10 flags with audiences, conditions and rollouts, and 3 experiments.

/** The attributes that the subscribers of the database have sent. */
export const ATTRIBUTES = { country: 'DE', appVersion: '40', plan: 'free', locale: 'de-DE', sessions: '12' }

const [GERMAN, RECENT, ENGAGED] = ['aud_1', 'aud_2', 'aud_3'] as const

export const AUDIENCES: readonly { id: string; name: string; rules: Record<string, unknown> }[] = [
  { id: GERMAN, name: 'German speaking', rules: { country: { $in: ['DE', 'AT', 'CH'] } } },
  { id: RECENT, name: 'Recent app', rules: { appVersion: { $gte: 30 } } },
  { id: ENGAGED, name: 'Engaged', rules: { $and: [{ sessions: { $gt: 20 } }, { plan: { $ne: 'trial' } }] } },
]

const rule = (value: unknown, more: Partial<FlagRule>): FlagRule => ({ value, ...more })
const half = { rolloutPercentage: 0.5 }

type Flag = Pick<FlagRow, 'key' | 'type' | 'defaultValue' | 'rules'>

export const FLAGS: readonly Flag[] = [
  { key: 'new_checkout', type: 'BOOLEAN', defaultValue: false, rules: [rule(true, { rolloutPercentage: 0.2 })] },
  { key: 'dark_mode', type: 'BOOLEAN', defaultValue: true, rules: [] },
  {
    key: 'onboarding',
    type: 'STRING',
    defaultValue: 'classic',
    rules: [
      rule('short', { audienceId: ENGAGED }),
      rule('local', { audienceId: GERMAN, ...half }),
      rule('guided', { conditions: { plan: 'free' } }),
    ],
  },
  {
    key: 'max_items',
    type: 'NUMBER',
    defaultValue: 20,
    rules: [rule(100, { audienceId: ENGAGED }), rule(50, { audienceId: RECENT, rolloutPercentage: 0.3 })],
  },
  {
    key: 'theme',
    type: 'JSON',
    defaultValue: { accent: '#d97757', radius: 8, fonts: ['Inter', 'serif'] },
    rules: [rule({ accent: '#000000', radius: 4, fonts: ['Inter'] }, { conditions: { locale: 'de-DE' }, ...half })],
  },
  {
    key: 'search',
    type: 'STRING',
    defaultValue: 'v1',
    rules: [rule('v3', { conditions: { country: { $in: ['US', 'GB'] } } }), rule('v2', { audienceId: RECENT })],
  },
  { key: 'chat', type: 'BOOLEAN', defaultValue: false, rules: [rule(true, { audienceId: GERMAN, ...half })] },
  {
    key: 'paywall_copy',
    type: 'STRING',
    defaultValue: 'Unlock everything',
    rules: [
      rule('Sleep better tonight', { audienceId: GERMAN, rolloutPercentage: 0.25 }),
      rule('Start free', { conditions: { sessions: { $lt: 5 } } }),
    ],
  },
  {
    key: 'sync_seconds',
    type: 'NUMBER',
    defaultValue: 300,
    rules: [rule(60, { conditions: { appVersion: { $gte: 41 } } }), rule(120, { rolloutPercentage: 0.1 })],
  },
  {
    key: 'beta_features',
    type: 'BOOLEAN',
    defaultValue: false,
    rules: [rule(true, { conditions: { $or: [{ plan: 'beta' }, { locale: 'en-GB' }] } }), rule(true, half)],
  },
]

const variant = (id: string, weight: number, value: unknown) => ({ id, name: `Variant ${id}`, weight, value })

export const EXPERIMENTS = [
  { key: 'price_test', audienceId: null, variants: [variant('a', 0.5, 'low'), variant('b', 0.5, 'high')] },
  {
    key: 'trial_length',
    audienceId: RECENT,
    variants: [variant('a', 0.34, 3), variant('b', 0.33, 7), variant('c', 0.33, 14)],
  },
  {
    key: 'welcome',
    audienceId: GERMAN,
    variants: [variant('a', 0.5, { title: 'Hello' }), variant('b', 0.5, { title: 'Good evening' })],
  },
]

/** One more flag, of another environment. It needs the purchases, which must be read for each call. */
const OF_STAGING: Flag = {
  key: 'for_payers',
  type: 'BOOLEAN',
  defaultValue: false,
  rules: [rule(true, { conditions: { 'svc.hasActive': true } })],
}

/** Writes all of it into the template's project. */
export async function writeTargeting(ctx: Context, { id: projectId }: CastProject): Promise<void> {
  const added = <Row>(created: Row[]) => ({ created, updated: [], deletedIds: [] })
  const flag = (row: Flag, env: 'PROD' | 'STAGING', index: number) => ({
    ...row,
    id: `flg_${env}${index}`,
    env,
    description: null,
    isEnabled: true,
    rules: [...row.rules],
  })
  await ctx.write(async (tx) => {
    const audiences = AUDIENCES.map((row) => ({ ...row, description: null, isDefault: false }))
    await writeAudiences(tx, projectId, added(audiences))
    const staging = [...FLAGS, OF_STAGING].map((row, index) => flag(row, 'STAGING', index))
    await writeFlags(tx, projectId, added([...FLAGS.map((row, index) => flag(row, 'PROD', index)), ...staging]))
    await writeExperiments(tx, projectId, added(EXPERIMENTS.map((row, index) => experiment(row, index))))
    await touchConfig(tx, projectId)
  })
}

const experiment = (row: (typeof EXPERIMENTS)[number], index: number) => ({
  ...row,
  id: `exp_${index}`,
  name: row.key,
  type: 'FLAG' as const,
  status: 'RUNNING' as const,
  metrics: [],
  mutualExclusionGroup: null,
  bucketBy: null,
  placementId: null,
  scheduledStartAt: null,
  scheduledStopAt: null,
  startedAt: 0,
  completedAt: null,
  winnerVariantId: null,
})
