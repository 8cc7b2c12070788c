import { join } from 'node:path'
import Database from 'libsql'
import { ChainVerifier } from '../../src/stores/ios/chain'
import { type VerifyOptions, verifySigned } from '../../src/stores/ios/jws'
import { environmentOf } from '../../src/stores/ios/notification-envelope'
import { trustedRoots } from '../../src/stores/ios/roots'
import { type SimulatorKeys, simulatorRoot } from '../../src/stores/test-keys/keys'
import { timeEach } from './measure'

/** Milliseconds of one ES256 JWS verification whose certificate chain was verified before. */
export function timeVerification(keys: SimulatorKeys, receipts: readonly string[]): number {
  const verify = verifierOf(keys)
  return timeEach(receipts.length, (index) => void verify(receipts[index] ?? ''))
}

/** Milliseconds of the three verifications of a notification: the notification, its transaction and its renewal. */
export function timeNotification(keys: SimulatorKeys, notifications: readonly string[]): number {
  const verify = verifierOf(keys)
  return timeEach(notifications.length, (index) => {
    const { data } = verify(notifications[index] ?? '', { environmentOf }) as { data: Record<string, string> }
    for (const name of ['signedTransactionInfo', 'signedRenewalInfo']) verify(data[name] ?? '')
  })
}

/** Returns the payload of a token. */
function verifierOf(keys: SimulatorKeys) {
  const root = simulatorRoot(keys)
  const chains = new ChainVerifier(trustedRoots(root ? [root] : []))
  return (token: string, options: VerifyOptions = {}): unknown => {
    const result = verifySigned(token, chains, options)
    if (!result.ok) throw new Error(`a token was refused: ${result.reason}`)
    return result.payload
  }
}

/** Commits one row at a time, each synced, to a file on the disk that the databases are on. */
export class Committer {
  private readonly database: Database.Database
  private readonly insert: ReturnType<Database.Database['prepare']>
  private count = 0

  constructor(folder: string) {
    this.database = new Database(join(folder, 'yardstick.db'))
    this.database.exec('PRAGMA journal_mode = WAL')
    this.database.exec('PRAGMA synchronous = FULL')
    this.database.exec('CREATE TABLE one (id text PRIMARY KEY NOT NULL, value text NOT NULL)')
    this.insert = this.database.prepare('INSERT INTO one (id, value) VALUES (?, ?)')
  }

  /** Milliseconds of one commit. */
  time(count: number): number {
    return timeEach(count, () => this.insert.run([`row_${++this.count}`, 'x'.repeat(200)]))
  }

  close(): void {
    this.database.close()
  }
}
