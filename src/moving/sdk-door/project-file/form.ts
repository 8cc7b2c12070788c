import { form, may, must, orNone } from '../../../projects/project-file/form'
import { sectionKey } from '../../../projects/project-file/model'
import { bool, list, oneOf, text } from '../../../projects/project-file/reader'
import { secret, type WantedSecret } from '../../../projects/project-file/secret'
import { SDK_PLATFORMS, type SdkPlatform } from '../select'
import { MAX_OLD_KEYS, NO_SDK_DOOR, oldKeyFault, RESTORE_BEHAVIORS, type SdkDoorSettings } from '../settings'

/** A key of the former vendor as the file gives it: one with the id of a saved key is that key. */
export interface WantedKey {
  id: string | null
  platform: SdkPlatform
  key: WantedSecret | null
}

/** The section as the file gives it. Without `oldKeys` the saved keys stay. */
export interface WantedSdkDoor extends SdkDoorSettings {
  oldKeys: WantedKey[] | null
}

const key = secret((value) => {
  const fault = oldKeyFault(value)
  return fault && `This cannot be an old key: ${fault}`
})

const KEY = form<WantedKey>({ id: orNone(text(64)), platform: must(oneOf(SDK_PLATFORMS), 'ios'), key: orNone(key) })

export const SDK_DOOR_FORM = form<WantedSdkDoor>({
  enabled: may(bool, NO_SDK_DOOR.enabled),
  testStore: may(bool, NO_SDK_DOOR.testStore),
  restoreBehavior: may(oneOf(RESTORE_BEHAVIORS), NO_SDK_DOOR.restoreBehavior),
  logCalls: may(bool, NO_SDK_DOOR.logCalls),
  oldKeys: orNone(list(KEY, MAX_OLD_KEYS)),
})

/** A key as it is compared. A new one has the whole key. */
interface KeyState {
  id: string | null
  platform: SdkPlatform
  last4: string
  newKey: string | null
}

export interface SdkDoorState extends SdkDoorSettings {
  oldKeys: KeyState[]
}

export const SDK_DOOR = sectionKey<SdkDoorState, WantedSdkDoor>('sdkDoor', 'sdkDoor')
