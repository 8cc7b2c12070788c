// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { schemaFaults } from '../support/file-schema'
import { sdk, sdkRefusal } from '../support/former-sdk'
import { changes, dataOf, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

// The settings for apps on the former SDK in the project file.

let s: Stage
let admin: StaffCalls
beforeEach(async () => {
  s = await stage()
  admin = staff(s).as('ADMIN')
})
afterEach(() => s.close())

const IOS = 'appl_FormerVendorKey1234'
const ANDROID = 'goog_FormerVendorKey5678'
const env = { IOS, ANDROID }
const BOTH = '[{ platform: ios, key: "${env:IOS}" }, { platform: android, key: "${env:ANDROID}" }]'
const fileOf = (section: string) => `version: 1\nsdkDoor: ${section}\n`
const apply = (section: string, more: object = {}) =>
  admin.post('/project-file/apply', { file: fileOf(section), env, ...more })
const plan = (section: string, more: object = {}) =>
  dataOf(admin.post('/project-file/plan', { file: fileOf(section), env, ...more }))
const exported = async (): Promise<string> => (await dataOf(admin.get('/project-file'))).yaml
const view = () => dataOf(admin.get('/sdk-door'))

test('the settings go in and come out the same, and no key ever does', async () => {
  expect(await exported()).not.toContain('sdkDoor')
  const section = `{ enabled: true, testStore: true, restoreBehavior: keep, logCalls: false, oldKeys: ${BOTH} }`
  expect(schemaFaults(fileOf(section))).toEqual([])
  await changes(s, () => apply(section), ['sdkDoor.create'])
  const saved = await view()
  expect(saved).toMatchObject({
    ...{ enabled: true, testStore: true, restoreBehavior: 'keep', logCalls: false, revision: 1 },
    oldKeys: [
      { platform: 'ios', last4: '1234' },
      { platform: 'android', last4: '5678' },
    ],
  })
  expect((await sdk(s, 'ios').person('ada', { key: IOS })).status).toBe(201)
  const yaml = await exported()
  expect(yaml).toContain('key: ${env:FORMER_SDK_IOS_KEY_1234}')
  for (const key of [IOS, ANDROID]) expect(yaml).not.toContain(key)
  expect(schemaFaults(yaml)).toEqual([])
  for (const prune of [false, true]) {
    const again = await dataOf(admin.post('/project-file/plan', { file: yaml, prune }))
    expect([again.lines, again.problems]).toEqual([['no changes'], []])
  }
  expect((await plan(section)).lines).toEqual(['no changes'])
  expect(await view()).toEqual(saved)
})

test('an export makes another project the same with the keys, and is reported without them', async () => {
  await apply(`{ enabled: true, oldKeys: ${BOTH} }`)
  const yaml = await exported()
  const section = yaml.slice(yaml.indexOf('sdkDoor:') + 'sdkDoor:'.length)
  await admin.put('/sdk-door', { enabled: false, oldKeys: [] })
  const apart = `${section.trimEnd()}\n`
  const without = await plan(apart)
  expect(without.lines.join('\n')).toMatch(/FORMER_SDK_IOS_KEY_1234 is not set, and no value is saved/)
  const names = { FORMER_SDK_IOS_KEY_1234: IOS, FORMER_SDK_ANDROID_KEY_5678: ANDROID }
  await changes(s, () => apply(apart, { env: names }), ['sdkDoor.update'])
  expect((await view()).oldKeys.map(({ last4 }: { last4: string }) => last4)).toEqual(['1234', '5678'])
  expect((await plan(apart, { env: names })).lines).toEqual(['no changes'])
})

test('absent keys stay, a key stays by its id, and others are removed', async () => {
  await apply(`{ enabled: true, oldKeys: ${BOTH} }`)
  const [ios] = (await view()).oldKeys
  await changes(s, () => admin.post('/project-file/apply', { file: 'version: 1\n', prune: true }), [])
  await changes(s, () => apply('{}'), ['sdkDoor.update'])
  expect(await view()).toMatchObject({ enabled: false, oldKeys: [{ id: ios.id }, { platform: 'android' }] })
  await changes(s, () => apply(`{ enabled: true, oldKeys: [{ id: ${ios.id}, platform: ios }] }`), ['sdkDoor.update'])
  expect((await view()).oldKeys).toEqual([ios])
  expect((await sdk(s, 'ios').person('ada', { key: IOS })).status).toBe(201)
  expect(sdkRefusal(await sdk(s, 'android').person('ada', { key: ANDROID }))).toEqual([401, 7225])
  await apply('{ oldKeys: [] }')
  expect(await view()).toMatchObject({ enabled: false, oldKeys: [] })
  await changes(s, () => apply('{}'), [])
})

test('a key with the same ending is another one, and a diff shows no key', async () => {
  await apply(`{ oldKeys: [{ platform: ios, key: ${IOS} }] }`)
  const [before] = (await view()).oldKeys
  const other = `{ oldKeys: [{ platform: ios, key: appl_AnotherVendorKey1234 }] }`
  expect(JSON.stringify(await plan(other))).not.toContain('AnotherVendor')
  const { changes: found } = await changes(s, () => apply(other), ['sdkDoor.update'])
  expect(JSON.stringify(found)).not.toContain('AnotherVendor')
  const [after] = (await view()).oldKeys
  expect([after.last4, after.id === before.id]).toEqual(['1234', false])
})

test.each([
  ['a switch that is a word', '{ enabled: "yes" }'],
  ['an unknown behaviour', '{ restoreBehavior: move }'],
  ['an unknown member', '{ open: true }'],
  ['a platform that is none', `{ oldKeys: [{ platform: windows, key: ${IOS} }] }`],
  ['an item without a platform', `{ oldKeys: [{ key: ${IOS} }] }`],
  ['an item without key and id', '{ oldKeys: [{ platform: ios }] }'],
  ['a short key', '{ oldKeys: [{ platform: ios, key: short }] }'],
  ['a key with a space', '{ oldKeys: [{ platform: ios, key: "with a space" }] }'],
  ['a key of this server', `{ oldKeys: [{ platform: ios, key: appl_svc_pub_${'1'.repeat(32)} }] }`],
  ['an id that no key has', '{ oldKeys: [{ platform: ios, id: fsk_x }] }'],
  ['a key that stands twice', `{ oldKeys: [{ platform: ios, key: ${IOS} }, { platform: ios, key: ${IOS} }] }`],
  ['21 keys', `{ oldKeys: [${Array.from({ length: 21 }, (_, n) => `{ platform: ios, key: appl_k_${n}00000 }`)}] }`],
])('%s is refused', async (_fact, section) => {
  expect((await plan(section)).problems).toHaveLength(1)
  await refused(s, () => apply(section), 400, 'VALIDATION_ERROR')
  expect(await view()).toMatchObject({ enabled: false, oldKeys: [], revision: 0 })
})

test('a key of another project, and a saved one under another platform, are refused', async () => {
  await apply(`{ oldKeys: [{ platform: ios, key: ${IOS} }] }`)
  const [{ id }] = (await view()).oldKeys
  expect((await plan(`{ oldKeys: [{ platform: web, id: ${id} }] }`)).problems).toMatchObject([
    { path: 'sdkDoor.oldKeys[0]', message: `The saved key ${id} is one of ios` },
  ])
  const { formerSdkKeys } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(formerSdkKeys).set({ projectId: s.other.id }))
  expect((await plan(`{ oldKeys: [{ platform: ios, key: ${IOS} }] }`)).problems).toMatchObject([{ code: 'CONFLICT' }])
})
