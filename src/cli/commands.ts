import { applyCommand } from './apply'
import { backupCommand } from './backup'
import type { Command } from './command'
import { demoCommand } from './demo'
import { doctorCommand } from './doctor'
import { experimentCommand } from './experiment'
import { exportCommand } from './export'
import { flagCommand } from './flag'
import { grantCommand } from './grant'
import { keyCommand } from './key'
import { migrateCommand } from './migrate'
import { openapiCommand } from './openapi'
import { projectCommand } from './project'
import { reconcileCommand } from './reconcile'
import { refundCommand } from './refund'
import { refundShieldCommand } from './refund-shield'
import { restoreCommand } from './restore'
import { scheduleCommand } from './schedule'
import { serveCommand } from './serve'
import { simulateCommand } from './simulate'
import { storeEventsCommand } from './store-events'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  migrateCommand,
  projectCommand,
  keyCommand,
  applyCommand,
  exportCommand,
  flagCommand,
  experimentCommand,
  grantCommand,
  refundCommand,
  scheduleCommand,
  simulateCommand,
  storeEventsCommand,
  refundShieldCommand,
  reconcileCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  openapiCommand,
  demoCommand,
]
