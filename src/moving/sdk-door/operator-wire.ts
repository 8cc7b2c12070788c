import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import type { CallRow, countDevices, FormerKeyRow } from './queries'
import { VENDOR_EVENTS, vendorEvents } from './seen-sdk'
import { SDK_PLATFORMS } from './select'
import { MAX_OLD_KEY, MAX_OLD_KEYS, RESTORE_BEHAVIORS, type SdkDoorSettings } from './settings'

const strict = { additionalProperties: false } as const

const Platform = oneOf(SDK_PLATFORMS)
const Behavior = oneOf(RESTORE_BEHAVIORS, {
  description: 'What happens to a purchase of another person when its receipt arrives; `project` = as in the project',
})

const members = {
  enabled: Type.Boolean({
    description: 'Apps with the former SDK are answered; a public key then addresses people by label',
  }),
  testStore: Type.Boolean({ description: 'Keys with the prefix `test_` may buy at the test store' }),
  restoreBehavior: Behavior,
  logCalls: Type.Boolean({ description: 'Calls are counted by SDK, version, call and outcome' }),
}

export const SdkDoorBody = Type.Object(
  {
    enabled: Type.Optional(members.enabled),
    testStore: Type.Optional(members.testStore),
    restoreBehavior: Type.Optional(members.restoreBehavior),
    logCalls: Type.Optional(members.logCalls),
    oldKeys: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.Optional(Type.String({ maxLength: 64, description: 'Keeps the saved key' })),
            key: Type.Optional(Type.String({ maxLength: MAX_OLD_KEY, description: 'A new key; it is stored hashed' })),
            platform: Platform,
          },
          strict,
        ),
        { maxItems: MAX_OLD_KEYS },
      ),
    ),
  },
  { ...strict, title: 'SdkDoorRequest' },
)

export const SdkDoorView = Type.Object(
  {
    ...members,
    oldKeys: Type.Array(Type.Object({ id: Type.String(), platform: Platform, last4: Type.String() }, strict)),
    revision: Type.Integer(),
  },
  { ...strict, title: 'SdkDoor' },
)

export const toSdkDoorView = (
  { enabled, testStore, restoreBehavior, logCalls }: SdkDoorSettings,
  keys: readonly FormerKeyRow[],
  revision: number,
): Static<typeof SdkDoorView> => ({
  enabled,
  testStore,
  restoreBehavior,
  logCalls,
  oldKeys: keys.map(({ id, platform, last4 }) => ({ id, platform, last4 })),
  revision,
})

export const SdkCallView = Type.Object(
  {
    day: Type.String({ format: 'date-time' }),
    platform: Type.String(),
    flavor: Type.String({ description: 'The framework around the SDK; empty for a native one' }),
    version: Type.String(),
    call: Type.String(),
    outcome: Type.String({ description: '`OK`, or the code of the refusal' }),
    count: Type.Integer(),
  },
  { ...strict, title: 'SdkCall' },
)

export const SdkDeviceView = Type.Object(
  {
    platform: Type.String(),
    flavor: Type.String({ description: 'The framework around the SDK; empty for a native one' }),
    version: Type.String({ description: 'The version of the SDK' }),
    appVersion: Type.String({ description: 'The version of the app; empty where the SDK sends none, as on the web' }),
    devices: Type.Integer({ description: 'People on the platform whose last call was made with this version' }),
    lastDay: Type.String({ format: 'date-time' }),
    vendorEvents: oneOf(VENDOR_EVENTS, {
      description:
        'Whether the SDK sends its events to the former vendor all the same; judged by its platform and version alone',
    }),
  },
  { ...strict, title: 'SdkDevices' },
)

type DeviceCount = Awaited<ReturnType<typeof countDevices>>[number]

export const toSdkDeviceView = ({ lastDay, ...row }: DeviceCount): Static<typeof SdkDeviceView> => ({
  ...row,
  lastDay: toIso(lastDay ?? 0),
  vendorEvents: vendorEvents(row),
})

export const SdkSeenView = Type.Object(
  {
    calls: Type.Array(SdkCallView),
    devices: Type.Array(SdkDeviceView),
    vendorEventsBy: Type.Literal('SDK_VERSION', {
      description:
        '`vendorEvents` is judged by the SDK and its version: calls of an app to other servers are not visible here',
    }),
  },
  { ...strict, title: 'SdkSeen' },
)

export const toSdkCallView = ({ projectId: _project, day, ...row }: CallRow): Static<typeof SdkCallView> => ({
  day: toIso(day),
  ...row,
})
