import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { findByDevice } from '../../src/people/subscribers/service'
import { touchConfig } from '../../src/projects/project/service'
import { bulkEtag } from '../../src/targeting/remote-config/ofrep/bulk'
import { evaluate } from '../../src/targeting/remote-config/service'
import { readStreamToken } from '../../src/targeting/remote-config/stream-token'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { everything, identify } from '../support/facts'
import { evaluateAll, evaluateOne, resultOf, valuesOf } from '../support/ofrep'
import { clearRemote, configOf, configure, flagsOf, HALVES, variantsOf } from '../support/remote'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

// Buckets of checkout_test: svc_8fK2mQ7xLw 3507, svc_d4 9080; of the holdout: svc_8fK2mQ7xLw 4215.
const ADA = { targetingKey: 'svc_8fK2mQ7xLw' }
const BO = { targetingKey: 'svc_d4' }

const secret = () => ({ key: s.project.secretKey })
const assignments = async () => {
  await s.ctx.state.assignments.flush()
  return s.ctx.db.select().from(s.ctx.tables.assignments)
}
const know = (device: string) => s.get('/v1/me', device)

async function change(key: string, set: Partial<Stage['ctx']['tables']['experiments']['$inferInsert']>): Promise<void> {
  const { experiments } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    await tx.db.update(experiments).set(set).where(eq(experiments.key, key))
    await touchConfig(tx, s.project.id)
  })
}

const allTo = (id: 'a' | 'b') => HALVES.map((variant) => ({ ...variant, weight: variant.id === id ? 1 : 0 }))

describe('one flag', () => {
  test('has key, value, reason, variant and where it is from, and nothing else', async () => {
    const rules = [
      { conditions: { country: 'DE' }, value: 'german' },
      { conditions: { country: 'TR' }, value: 'turkish', rolloutPercentage: 1 },
    ]
    await configure(s, { flags: [{ id: 'flg_1', key: 'greeting', type: 'STRING', defaultValue: 'hello', rules }] })
    const answer = await evaluateOne(s, 'greeting', { ...ADA, country: 'TR' })
    expect(answer.body).toEqual({
      key: 'greeting',
      value: 'turkish',
      reason: 'TARGETING_MATCH',
      variant: 'rule:1',
      metadata: { env: 'PROD', flagId: 'flg_1' },
    })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const missed = {
      key: 'greeting',
      value: 'hello',
      reason: 'UNKNOWN',
      metadata: { env: 'PROD', flagId: 'flg_1', svcReason: 'DEFAULT' },
    }
    expect((await evaluateOne(s, 'greeting', ADA)).body).toEqual(missed)
  })

  test('gives each reason its own way', async () => {
    await configure(s, {
      flags: [
        { key: 'static', defaultValue: true },
        { key: 'off', isEnabled: false, rules: [{ value: true }] },
        { key: 'lost', rules: [{ value: true, rolloutPercentage: 0 }] },
        { key: 'won', rules: [{ value: true, rolloutPercentage: 1 }] },
      ],
      experiments: [{ key: 'checkout_test' }],
    })
    expect(await resultOf(s, 'static', ADA)).toEqual([true, 'STATIC', undefined])
    expect(await resultOf(s, 'off', ADA)).toEqual([false, 'DISABLED', undefined])
    expect(await resultOf(s, 'lost', ADA)).toEqual([false, 'UNKNOWN', undefined])
    expect(await resultOf(s, 'won', ADA)).toEqual([true, 'TARGETING_MATCH', 'rule:0'])
    expect(await resultOf(s, 'checkout_test', ADA)).toEqual([1, 'SPLIT', 'a'])
  })

  test('is that of the environment, by query before header', async () => {
    await configure(s, {
      flags: (['PROD', 'STAGING', 'DEVELOPMENT'] as const).map((env) => ({
        key: 'where',
        env,
        type: 'STRING' as const,
        defaultValue: env,
      })),
    })
    const headers = { 'x-svc-env': 'staging' }
    for (const [options, query, env] of [
      [{}, '', 'PROD'],
      [{ headers }, '', 'STAGING'],
      [{ headers }, '?env=dev', 'DEVELOPMENT'],
      [{ headers }, '?env=', 'STAGING'],
    ] as const) {
      const { body } = await evaluateOne(s, 'where', ADA, options, query)
      expect([body.value, body.metadata.env]).toEqual([env, env])
      expect(valuesOf(await evaluateAll(s, ADA, options, query))).toEqual({ where: env })
    }
  })

  test('may carry a name that an object has by itself', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '$svc.a-b']
    for (const name of names) expect((await evaluateOne(s, name, ADA)).status).toBe(404)
    await configure(s, { flags: names.map((key) => ({ key, type: 'STRING' as const, defaultValue: `is ${key}` })) })
    for (const name of names) expect((await evaluateOne(s, name, ADA)).body.value).toBe(`is ${name}`)
    const { body } = await evaluateAll(s, ADA)
    expect(body.flags.map(({ key }: { key: string }) => key).sort()).toEqual(names.sort())
  })
})

describe('attributes of the call', () => {
  const rule = (conditions: object) => [{ conditions, value: true }]
  const seen = async (conditions: object, context: object) => {
    await clearRemote(s)
    await configure(s, { flags: [{ key: 'seen', rules: rule(conditions) }] })
    return (await evaluateOne(s, 'seen', context)).body.value
  }

  test('win over saved ones, hold for this call alone, and are not saved', async () => {
    await s.post('/v1/config?subscriberId=svc_saver', { attributes: { country: 'DE', plan: 'gold' } })
    await configure(s, { flags: [{ key: 'turkish_gold', rules: rule({ country: 'TR', plan: 'gold' }) }] })
    const saver = { targetingKey: 'svc_saver' }
    const before = await everything(s)
    expect(await resultOf(s, 'turkish_gold', saver)).toEqual([false, 'UNKNOWN', undefined])
    expect((await resultOf(s, 'turkish_gold', { ...saver, country: 'TR' }))[0]).toBe(true)
    expect(valuesOf(await evaluateAll(s, { ...saver, country: 'TR' }))).toEqual({ turkish_gold: true })
    expect((await resultOf(s, 'turkish_gold', saver))[0]).toBe(false)
    expect(await everything(s)).toEqual(before)
    expect(await flagsOf(s, 'svc_saver')).toEqual({ turkish_gold: false })
  })

  test('are texts, numbers and booleans, by their exact names', async () => {
    expect(await seen({ level: { $gte: 10 } }, { ...ADA, level: 10.5 })).toBe(true)
    expect(await seen({ level: '10' }, { ...ADA, level: 10 })).toBe(true)
    expect(await seen({ beta: true }, { ...ADA, beta: true })).toBe(true)
    expect(await seen({ 'user.name': 'ada' }, { ...ADA, 'user.name': 'ada' })).toBe(true)
    expect(await seen({ 'user.name': 'ada' }, { ...ADA, user: { name: 'ada' } })).toBe(false)
    for (const value of [null, ['TR'], { $eq: 'TR' }, { toString: 'TR' }, []])
      expect(await seen({ country: { $exists: true } }, { ...ADA, country: value })).toBe(false)
    expect(await seen({ targetingKey: { $exists: true } }, ADA)).toBe(false)
  })

  test('may be called like what an object has by itself', async () => {
    const context = JSON.parse('{"targetingKey":"svc_a","__proto__":"x","constructor":"y"}')
    expect(await seen(JSON.parse('{"__proto__":"x"}'), context)).toBe(true)
    expect(await seen({ constructor: 'y' }, context)).toBe(true)
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(await seen(JSON.parse(`{"${name}":{"$exists":true}}`), ADA)).toBe(false)
    expect(
      await seen({ admin: { $exists: true } }, JSON.parse('{"targetingKey":"svc_a","__proto__":{"admin":1}}')),
    ).toBe(false)
  })

  test('cannot stand in for what svc knows', async () => {
    const lies = { ...ADA, 'svc.hasActive': true, 'svc.isTrial': true, 'svc.deviceKey': 'svc_other' }
    expect(await seen({ 'svc.hasActive': true }, lies)).toBe(false)
    expect(await seen({ 'svc.isTrial': true }, lies)).toBe(false)
    expect(await seen({ 'svc.deviceKey': 'svc_other' }, lies)).toBe(false)
  })
})

describe('what svc knows of a subscriber', () => {
  test('is asked without any attribute being sent: entitlements, store, trial days', async () => {
    const rule = (conditions: object) => [{ conditions, value: true }]
    await configure(s, {
      flags: [
        { key: 'active', rules: rule({ 'svc.hasActive': true }) },
        { key: 'coach', rules: rule({ 'svc.access': { $all: ['coach'] } }) },
        { key: 'ending', rules: rule({ 'svc.isTrial': true, 'svc.trialDaysLeft': { $lte: 2 } }) },
        { key: 'ios_trial', rules: rule({ 'svc.store': 'IOS_STORE', 'svc.status': 'TRIAL' }) },
        { key: 'pro', rules: rule({ 'svc.access': { $all: ['pro'] } }) },
      ],
    })
    const trial = { targetingKey: 'svc_trial' }
    const none = { active: false, coach: false, ending: false, ios_trial: false, pro: false }
    expect(valuesOf(await evaluateAll(s, trial))).toEqual(none)
    await s.receipt('svc_trial', s.buy(MONTHLY, { withTrial: true }))
    const holding = { ...none, active: true, ios_trial: true, pro: true }
    expect(valuesOf(await evaluateAll(s, trial))).toEqual(holding)
    expect(await resultOf(s, 'ending', trial)).toEqual([false, 'UNKNOWN', undefined])
    s.ctx.clock.advance(5 * DAY + HOUR)
    expect(valuesOf(await evaluateAll(s, trial))).toEqual({ ...holding, ending: true })
    expect(await resultOf(s, 'ending', trial, secret())).toEqual([true, 'TARGETING_MATCH', 'rule:0'])
    expect(valuesOf(await evaluateAll(s, { targetingKey: 'svc_else' }))).toEqual(none)
    s.ctx.clock.advance(3 * DAY)
    expect(valuesOf(await evaluateAll(s, trial))).toEqual(none)
    expect(await flagsOf(s, 'svc_trial')).toEqual(none)
  })
})

describe('a targeting key', () => {
  test('that nobody has is evaluated like a newcomer, and nothing is written', async () => {
    await configure(s, {
      flags: [
        { key: 'free', rules: [{ conditions: { 'svc.hasActive': false, 'svc.daysSinceFirstSeen': 0 }, value: true }] },
        { key: 'me', rules: [{ conditions: { 'svc.deviceKey': 'svc_new' }, value: true }] },
      ],
      experiments: [{ key: 'checkout_test' }],
    })
    const before = await everything(s)
    for (const options of [{}, secret()])
      for (const targetingKey of ['svc_new', BO.targetingKey, 'sub_00000000000000000000000000', 'svc_with space/#?']) {
        const bulk = valuesOf(await evaluateAll(s, { targetingKey }, options))
        expect(bulk).toMatchObject({ free: true, me: targetingKey === 'svc_new' })
        const one = await resultOf(s, 'checkout_test', { targetingKey }, options)
        expect(one.slice(0, 2)).toEqual([bulk.checkout_test, 'SPLIT'])
      }
    await s.ctx.state.assignments.flush()
    expect(await everything(s)).toEqual(before)
    // The same answer that the app gets at its first start.
    expect(await variantsOf(s, BO.targetingKey)).toEqual({ checkout_test: 'b' })
  })

  test('that nobody has leaves no draw behind for whoever gets it', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test', variants: allTo('b') }] })
    expect((await evaluateOne(s, 'checkout_test', { targetingKey: 'svc_later' })).body.variant).toBe('b')
    await evaluateAll(s, { targetingKey: 'svc_later' })
    await change('checkout_test', { variants: allTo('a') })
    await identify(s, 'svc_later', 'later@example.com')
    await identify(s, 'svc_survivor', 'later@example.com')
    expect(await variantsOf(s, 'svc_later')).toEqual({ checkout_test: 'a' })
  })

  test('is with a secret key an id, a label or a device key, and with a public key the device key alone', async () => {
    await identify(s, 'svc_labelled', 'ref@example.com')
    await identify(s, 'svc_merged', 'ref@example.com')
    const row = await findByDevice(s.ctx, s.project.id, 'svc_merged')
    await configure(s, {
      flags: [{ key: 'known', rules: [{ conditions: { 'svc.appUserId': 'ref@example.com' }, value: true }] }],
    })
    const references = [row?.id ?? '', 'ref@example.com', 'svc_labelled', 'svc_merged']
    for (const targetingKey of references)
      expect([targetingKey, (await resultOf(s, 'known', { targetingKey }, secret()))[0]]).toEqual([targetingKey, true])
    const asDevice = async (targetingKey: string) => (await resultOf(s, 'known', { targetingKey }))[0]
    expect(await Promise.all(references.map(asDevice))).toEqual([false, false, true, true])
  })

  test('of another project is nobody here', async () => {
    await s.post('/v1/config?subscriberId=svc_theirs', { attributes: { vip: 'yes' } }, { key: s.other.secretKey })
    await configure(s, { flags: [{ key: 'vip', rules: [{ conditions: { vip: 'yes' }, value: true }] }] })
    await configure(s, { flags: [{ key: 'theirs' }] }, s.other.id)
    const theirs = await findByDevice(s.ctx, s.other.id, 'svc_theirs')
    for (const targetingKey of ['svc_theirs', theirs?.id ?? ''])
      expect(valuesOf(await evaluateAll(s, { targetingKey }, secret()))).toEqual({ vip: false })
    expect((await evaluateOne(s, 'theirs', ADA)).body).toEqual({ key: 'theirs', errorCode: 'FLAG_NOT_FOUND' })
    expect(valuesOf(await evaluateAll(s, ADA, { key: s.other.publicKey }))).toEqual({ theirs: false })
  })

  test('never gets the draw that waits for a device which calls itself by the label', async () => {
    await identify(s, 'svc_owner', 'svc_d4')
    await know('svc_d4')
    await configure(s, { experiments: [{ key: 'checkout_test', variants: allTo('b') }] })
    expect((await evaluateOne(s, 'checkout_test', BO)).body.variant).toBe('b')
    await change('checkout_test', { variants: allTo('a') })
    expect((await evaluateOne(s, 'checkout_test', BO, secret())).body.variant).toBe('a') // The key of the owner.
    expect((await evaluateOne(s, 'checkout_test', BO)).body.variant).toBe('b')
  })
})

describe('an experiment', () => {
  test('is evaluated under its key, whatever its type', async () => {
    const variants = (value: unknown) => [{ id: 'only', name: 'Only', weight: 1, value }]
    const types = [
      ['FLAG', { layout: 'compact' }],
      ['OFFERING', 'standard'],
      ['FUNNEL', { funnelId: 'fnl_1' }],
    ] as const
    await configure(s, {
      experiments: types.map(([type, value]) => ({ id: `exp_${type}`, key: type, type, variants: variants(value) })),
    })
    for (const [type, value] of types)
      expect((await evaluateOne(s, type, ADA)).body).toEqual({
        key: type,
        value,
        reason: 'SPLIT',
        variant: 'only',
        metadata: { experimentId: `exp_${type}`, experimentType: type },
      })
    expect(valuesOf(await evaluateAll(s, ADA))).toEqual(Object.fromEntries(types))
  })

  test('gives the variant of /v1/config, whichever is asked first and whatever weights become', async () => {
    for (const first of ['one', 'all', 'config'] as const) {
      await clearRemote(s)
      await configure(s, { experiments: [{ key: 'checkout_test', variants: allTo('b') }] })
      await know(ADA.targetingKey)
      const ask = {
        one: async () => (await evaluateOne(s, 'checkout_test', ADA)).body.variant,
        all: async () => (await evaluateAll(s, ADA)).body.flags[0]?.variant,
        config: async () => (await variantsOf(s, ADA.targetingKey)).checkout_test,
      }
      expect(await ask[first]()).toBe('b')
      await change('checkout_test', { variants: allTo('a') })
      for (const later of Object.values(ask)) expect(await later()).toBe('b')
      expect(await assignments()).toMatchObject([{ variantId: 'b' }])
      for (const later of Object.values(ask)) expect(await later()).toBe('b')
    }
  })

  test('asked from all sides at once on both sides of a change is drawn once', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test', variants: allTo('b') }] })
    await know(ADA.targetingKey)
    const asking = Array.from({ length: 4 }, () => [
      evaluateOne(s, 'checkout_test', ADA).then(({ body }) => body.variant),
      evaluateAll(s, ADA).then(({ body }) => body.flags[0].variant),
      variantsOf(s, ADA.targetingKey).then(({ checkout_test }) => checkout_test),
    ]).flat()
    const changing = change('checkout_test', { variants: allTo('a') })
    await changing
    const seen = new Set([...(await Promise.all(asking)), (await evaluateAll(s, ADA)).body.flags[0].variant])
    expect(seen.size).toBe(1)
    expect(await assignments()).toHaveLength(1)
  })

  test('that one is not in gives its control by name, names no experiment, and is absent in bulk', async () => {
    const own = await stage({ settings: { holdoutPercentage: 42.16 } })
    const mutualExclusionGroup = 'paywall'
    await configure(own, {
      audiences: [{ id: 'aud_tr', rules: { country: 'TR' } }],
      experiments: [
        { key: 'held_out' },
        { key: 'turkish', audienceId: 'aud_tr' },
        { key: 'first', mutualExclusionGroup, variants: allTo('b') },
        { key: 'second', mutualExclusionGroup, variants: allTo('b') },
      ],
    })
    const control = (key: string) => ({ key, value: 1, reason: 'UNKNOWN', metadata: { svcReason: 'DEFAULT' } })
    await own.get('/v1/me', BO.targetingKey)
    expect((await evaluateOne(own, 'held_out', ADA)).body).toEqual(control('held_out'))
    expect((await evaluateOne(own, 'turkish', BO)).body).toEqual(control('turkish'))
    expect((await evaluateOne(own, 'second', BO)).body).toEqual(control('second'))
    expect((await evaluateAll(own, ADA)).body.flags).toEqual([])
    expect(Object.keys(valuesOf(await evaluateAll(own, BO))).sort()).toEqual(['first', 'held_out'])
    expect((await evaluateOne(own, 'turkish', { ...BO, country: 'TR' })).body.reason).toBe('SPLIT')
    await own.close()
  })

  test.each(['DRAFT', 'PAUSED', 'COMPLETED'] as const)('%s is not there, and nobody is drawn', async (status) => {
    await configure(s, { experiments: [{ key: 'checkout_test', status }] })
    await know(ADA.targetingKey)
    expect((await evaluateOne(s, 'checkout_test', ADA)).body).toEqual({
      key: 'checkout_test',
      errorCode: 'FLAG_NOT_FOUND',
    })
    expect((await evaluateAll(s, ADA)).body.flags).toEqual([])
    expect(await assignments()).toEqual([])
  })

  test('is not drawn by asking for a flag', async () => {
    await configure(s, { flags: [{ key: 'plain' }], experiments: [{ key: 'checkout_test' }] })
    await know(ADA.targetingKey)
    await evaluateOne(s, 'plain', ADA)
    expect(await assignments()).toEqual([])
  })
})

describe('all flags', () => {
  test('are those of /v1/config, disabled ones absent, with the project and where to listen', async () => {
    await configure(s, {
      flags: [
        { key: 'on', defaultValue: true },
        { key: 'off', isEnabled: false },
        { key: 'staged', env: 'STAGING' },
      ],
      experiments: [{ key: 'checkout_test' }],
    })
    await know(BO.targetingKey)
    const { body } = await evaluateAll(s, BO, {}, '?env=prod')
    expect(Object.keys(body).sort()).toEqual(['eventStreams', 'flags', 'metadata'])
    expect(body.flags.map(({ key, reason }: Record<string, string>) => [key, reason])).toEqual([
      ['on', 'STATIC'],
      ['checkout_test', 'SPLIT'],
    ])
    expect(body.metadata).toEqual({ projectId: s.project.id })
    const [{ url, ...stream }] = body.eventStreams
    expect(stream).toEqual({ type: 'sse', inactivityDelaySec: 120 })
    const { origin, pathname, searchParams } = new URL(url)
    expect([origin, pathname, [...searchParams.keys()]]).toEqual([
      'http://localhost',
      '/v1/config/stream',
      ['ofrep', 'subscriberId', 'st'],
    ])
    const grant = { projectId: s.project.id, keyId: s.project.keyId, subscriber: BO.targetingKey, env: 'PROD' as const }
    const st = searchParams.get('st') ?? ''
    expect(searchParams.get('subscriberId')).toBe(BO.targetingKey)
    expect(readStreamToken(s.ctx.mac, st, s.ctx.clock.now())).toMatchObject(grant)
    expect(readStreamToken(s.ctx.mac, st, s.ctx.clock.now() + 10 * MINUTE)).toBeNull()
    const { experiments, flags } = (await configOf(s, BO.targetingKey)).body.data
    expect(valuesOf({ body } as never)).toEqual({ ...flags, checkout_test: experiments.checkout_test.value })
  })

  test('listen at the public address, each subscriber and environment with a token of its own', async () => {
    const own = await stage({ env: { PUBLIC_BASE_URL: 'https://svc.example.com' } })
    const streamOf = async (targetingKey: string, query = '', options = {}) => {
      const url = new URL((await evaluateAll(own, { targetingKey }, options, query)).body.eventStreams[0].url)
      const grant = readStreamToken(own.ctx.mac, url.searchParams.get('st') ?? '', own.ctx.clock.now())
      return [url.origin, url.searchParams.get('subscriberId'), grant?.subscriber, grant?.env]
    }
    const at = 'https://svc.example.com'
    expect(await streamOf('svc_a b&c=/用', '?env=dev')).toEqual([at, 'svc_a b&c=/用', 'svc_a b&c=/用', 'DEVELOPMENT'])
    const label = 'listener@example.com'
    expect(await streamOf(label, '', { key: own.project.secretKey })).toEqual([at, label, label, 'PROD'])
    await own.close()
  })

  test('carry a tag over the flags alone: 304 while they are the same', async () => {
    await configure(s, { flags: [{ key: 'tagged', rules: [{ conditions: { country: 'TR' }, value: true }] }] })
    await know(ADA.targetingKey)
    const ask = (context: object, tag = '') => evaluateAll(s, context, { headers: { 'if-none-match': tag } })
    const first = await ask(ADA)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    s.ctx.clock.advance(MINUTE) // The stream's token has changed by now.
    for (const held of [tag, `"x", W/${tag}`, '*']) {
      const same = await ask(ADA, held)
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, null, tag])
    }
    expect((await ask({ ...ADA, country: 'DE' }, tag)).status).toBe(304)
    const other = await ask({ ...ADA, country: 'TR' }, tag)
    expect([other.status, valuesOf(other)]).toEqual([200, { tagged: true }])
    expect((await ask({ targetingKey: 'svc_nobody' }, tag)).status).toBe(200)
    await configure(s, { flags: [{ key: 'another' }] })
    expect((await ask(ADA, tag)).status).toBe(200)
  })

  test('have the tag that the stream tells of', async () => {
    await configure(s, { flags: [{ key: 'plain' }], experiments: [{ key: 'checkout_test' }] })
    await know(ADA.targetingKey)
    const subscriber = await findByDevice(s.ctx, s.project.id, ADA.targetingKey)
    if (!subscriber) throw new Error('nobody')
    const project = await s.ctx.state.projects.get(s.project.id)
    const { flags } = project.remote.environments.PROD
    const origin = { subscriber, deviceKey: ADA.targetingKey }
    const question = { env: 'PROD', flags, withExperiments: true, extra: {} } as const
    const tag = bulkEtag(subscriber.id, flags, await evaluate(s.ctx, project, origin, question))
    expect((await evaluateAll(s, ADA)).headers.get('etag')).toBe(tag)
    expect((await evaluateAll(s, ADA, secret())).headers.get('etag')).toBe(tag)
    expect((await evaluateAll(s, ADA, {}, '?env=dev')).headers.get('etag')).not.toBe(tag)
  })
})

describe('what is broken in the tables', () => {
  test('fails closed for itself alone, with its default or as a flag that is not there', async () => {
    await configure(s, {
      audiences: [{ id: 'aud_broken', rules: { country: { $like: 'T%' } } }],
      flags: [
        { key: 'sound', rules: [{ value: true }] },
        { key: 'by_audience', rules: [{ audienceId: 'aud_broken', value: true }] },
        { key: 'by_condition', rules: [{ conditions: { $like: 1 }, value: true }, { value: true }] },
        { key: 'by_default', defaultValue: 'yes' },
        { key: 'by_type', type: 'COLOUR' as never },
      ],
      experiments: [
        { key: 'sound_test', variants: allTo('b') },
        { key: 'by_variants', variants: 'none' as never },
        { key: 'valueless', variants: [{ id: 'a', name: 'A', weight: 1 }] as never },
      ],
    })
    const expected = { sound: true, by_audience: false, by_condition: false, sound_test: 2, valueless: null }
    expect(valuesOf(await evaluateAll(s, ADA))).toEqual(expected)
    for (const [key, value] of Object.entries(expected)) expect((await resultOf(s, key, ADA))[0]).toBe(value as never)
    for (const key of ['by_audience', 'by_condition']) expect((await resultOf(s, key, ADA))[1]).toBe('UNKNOWN')
    for (const key of ['by_default', 'by_type', 'by_variants'])
      expect((await evaluateOne(s, key, ADA)).body).toEqual({ key, errorCode: 'FLAG_NOT_FOUND' })
  })
})
