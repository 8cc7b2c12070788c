import type { Section } from '../../../projects/project-file/section'
import { savedAs } from '../../../projects/project-file/stored'
import { listEndpoints } from '../queries'
import { openAuthorization } from '../secrets'
import { endpointsContent } from './content'
import { inspectEndpoints } from './inspect'
import { type EndpointFileState, endpointView, type WantedEndpoint, WEBHOOK_ENDPOINTS } from './model'
import { parseEndpoints } from './parse'
import { checkEndpoints, type EndpointRows, keptAuthorizations, planEndpoints, savedState } from './plan'
import { changesOfEndpoints, type EndpointChanges, madeSecrets, writeEndpoints } from './write'

/** The webhook endpoints of a project. The server makes their signing secrets; no file contains one. */
export const endpointSection: Section<WantedEndpoint, EndpointRows, EndpointFileState, EndpointChanges> = {
  key: WEBHOOK_ENDPOINTS,
  idPrefix: 'whe',
  takenCode: 'IDENTIFIER_TAKEN',
  holdsJson: true,
  parse: parseEndpoints,
  inspect: inspectEndpoints,
  async load({ handle, vault, project }) {
    const rows = await listEndpoints(handle, project.id)
    const saved = rows.map((row) => [row.id, { row, authorization: openAuthorization({ vault }, row) }] as const)
    return { saved: new Map(saved), hasVault: vault !== null }
  },
  names: ({ saved }) => new Map([...saved].map(([id, { row }]) => [id, row.name])),
  current: ({ saved }, names) =>
    [...saved.values()].map(({ row }) => savedAs(names.of(WEBHOOK_ENDPOINTS), row.id, row.name, savedState(row))),
  plan: planEndpoints,
  keptSecrets: keptAuthorizations,
  check: checkEndpoints,
  named: (name) => ({ name }),
  view: endpointView,
  rows: changesOfEndpoints,
  write: writeEndpoints,
  madeSecrets,
  content: endpointsContent,
}
