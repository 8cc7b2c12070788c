import { slice } from '../../base/slice'
import { subscriberRows } from './cached-rows'
import { ChangeSignal } from './change-signal'
import { devicesOfCall } from './device-key'
import { KeyHasher } from './erased-keys'
import { countSubscribers, subscriberLevel, subscribersOfProjects } from './figures'
import { eraseSubscriberRows } from './personal-data'
import { exportSubscriber } from './personal-export'
import { flushPresence, Presence } from './presence'
import { searchSubscribers } from './search'
import { subscriberTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    presence: Presence
    changeSignal: ChangeSignal
  }
}

export const subscribers = slice({
  name: 'subscribers',
  tags: [
    {
      name: 'Subscribers',
      description: 'Identity, attributes, access, restoring and moving purchases, the event feed.',
    },
  ],
  callIdentity: devicesOfCall,
  browserHeaders: { allowed: ['X-Svc-App-User-Id', 'X-Svc-User-Id', 'X-Svc-Platform'] },
  tables: subscriberTables,
  onErase: eraseSubscriberRows,
  projectFigures: subscribersOfProjects,
  usageLevels: [subscriberLevel],
  platformFigures: countSubscribers,
  cachedRows: { subscribers: subscriberRows, transfers: 'NOBODY', erasedKeys: 'NOBODY' },
  personalData: { subscribers: 'REDUCED', transfers: 'REDUCED', erasedKeys: 'NOTHING' },
  exportedRows: { subscribers: ['subscriber.json', 'attributes.json'], transfers: 'transfers.jsonl' },
  onExport: exportSubscriber,
  searchObjects: searchSubscribers,
  state: {
    presence: () => new Presence(),
    changeSignal: () => new ChangeSignal(),
    erasedKeys: ({ mac }) => new KeyHasher(mac),
  },
  loops: [{ name: 'presence', everyMs: 30_000, run: flushPresence, end: flushPresence }],
})
