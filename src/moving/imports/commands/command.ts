import type { Command } from '../../../base/cli/command'
import { remoteHelp } from '../../../base/cli/remote'
import type { ImportCommandAction } from './action'
import { filesAction } from './import-files'
import {
  cancelAction,
  listAction,
  productsAction,
  reportAction,
  resumeAction,
  showAction,
  undoAction,
} from './job-actions'

const ACTIONS: Readonly<Record<string, ImportCommandAction>> = {
  ...{ list: listAction, show: showAction, products: productsAction, resume: resumeAction, cancel: cancelAction },
  ...{ report: reportAction, undo: undoAction },
}

export const importCommand: Command = {
  name: 'import',
  summary: 'the history that another service has exported: try, write, verify, take back',
  optionOf: { columns: '--mapping', valueMap: '--mapping', options: '--mapping' },
  help: `
svc import FILE [--passphrase-env NAME] [--replace]
                              a whole project that svc export --with-data wrote, with its ids, keys and history; prints
                              the digest of the export, and what must be entered again
${[filesAction, ...Object.values(ACTIONS)].map(({ usage }) => usage).join('\n')}

  --project P    slug or id; needless with one project
  --preset NAME  refuses a file that is not of svc, svc_subscribers, android_tokens, revenuecat_v5,
                 revenuecat_receipts or adapty_history; without it the header decides
  --mapping M    a file of JSON or YAML: columns {canonical: header}, valueMap {store: {…}}, options {skipSandbox,
                 importAnchorless, enrichUngroupedChains}
  --dry-run      only reads; exit 3 when rows cannot be read
  --commit       writes the rows that can be read, and asks the stores about them
  --catalog C    after the dry run, writes the products that the catalogue does not have into a new project file, with
                 names, periods and accesses as the import names them; svc apply takes it
  --passphrase-env NAME  the variable with the passphrase that the credentials in a project's file are encrypted with
  --replace      deletes the project of the same id first; it must be suspended
  --data DIR, --json
${remoteHelp(17)}

Example: svc import revenuecat.csv.gz --project my-app --dry-run`,
  async run([name = '', ...args], io) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    return action ? action.run(args, io) : filesAction.run(name === '' ? [] : [name, ...args], io)
  },
}
