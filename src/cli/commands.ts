import type { Command } from '../base/cli/command'
import { grantCommand } from '../commerce/actions/grant-command'
import { refundCommand } from '../commerce/actions/refund-command'
import { scheduleCommand } from '../commerce/actions/schedule-command'
import { storeEventsCommand } from '../intake/catch-up/command'
import { reconcileCommand } from '../intake/reconcile/command'
import { refundShieldCommand } from '../intake/refund-shield/command'
import { applyCommand } from '../moving/project-file/apply-command'
import { exportCommand } from '../moving/project-file/export-command'
import { projectCommand } from '../projects/project/command'
import { keyCommand } from '../projects/project/key-command'
import { experimentCommand } from '../targeting/experiments/command'
import { flagCommand } from '../targeting/flags/command'
import { simulateCommand } from '../test-store/command/simulate'
import { backupCommand } from './backup'
import { demoCommand } from './demo'
import { doctorCommand } from './doctor'
import { migrateCommand } from './migrate'
import { openapiCommand } from './openapi'
import { restoreCommand } from './restore'
import { serveCommand } from './serve'

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
