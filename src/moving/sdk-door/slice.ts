import { slice } from '../../base/slice'
import { flushSeen, loadSdkDoor } from './admin'
import { sdkDoorCommand } from './command'
import { SdkCallCounts } from './counts'
import { SdkDevices } from './devices'
import { sdkDoorExamination } from './doctor'
import { answerSdk } from './door'
import { FormerKeyRing } from './key-ring'
import { sdkDoorOperatorRoutes } from './operator-routes'
import { eraseDevices } from './personal-data'
import { sdkDoorSection } from './project-file/section'
import { callsRetention, devicesRetention, tokensRetention } from './retention'
import type { SdkDoorSettings } from './settings'
import { sdkDoorTables } from './tables'

declare module '../../projects/project/state' {
  interface ProjectParts {
    sdkDoor: Readonly<SdkDoorSettings>
  }
}

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    fsk: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    formerSdkKeys: FormerKeyRing
    sdkCalls: SdkCallCounts
    sdkDevices: SdkDevices
  }
}

const FLUSH_MS = 5000

/** Apps that were built with another vendor's SDK, unmodified: only the address that they call was changed. */
export const sdkDoor = slice({
  name: 'sdk-door',
  tags: [{ name: 'Former SDK', description: "Apps built with another vendor's SDK." }],
  tables: sdkDoorTables,
  cachedRows: {
    formerSdkKeys: 'NOBODY',
    formerSdkTokens: 'NOBODY',
    formerSdkCalls: 'NOBODY',
    formerSdkDevices: 'NOBODY',
  },
  personalData: {
    formerSdkKeys: 'NOTHING',
    formerSdkTokens: 'NOTHING',
    formerSdkCalls: 'NOTHING',
    formerSdkDevices: 'ERASED',
  },
  exportedRows: { formerSdkDevices: { withheld: 'keyed hashes of ids, which name no one' } },
  onErase: eraseDevices,
  state: {
    formerSdkKeys: (ctx) => new FormerKeyRing(ctx, ctx.clock),
    sdkCalls: (ctx) => new SdkCallCounts(() => ctx.clock.now()),
    sdkDevices: ({ mac, clock }) => new SdkDevices(mac, () => clock.now()),
  },
  projectParts: {
    sdkDoor: ({ handle, projectId }) => loadSdkDoor(handle, projectId),
  },
  projectFile: [sdkDoorSection],
  retention: [callsRetention, devicesRetention, tokensRetention],
  otherProtocols: answerSdk,
  loops: [
    {
      name: 'counts of former SDK calls',
      everyMs: FLUSH_MS,
      run: flushSeen,
      end: flushSeen,
    },
  ],
  operatorRoutes: sdkDoorOperatorRoutes,
  commands: [sdkDoorCommand],
  doctor: sdkDoorExamination,
})
