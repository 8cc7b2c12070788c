import { remoteOptions } from '../../base/cli/remote'

/** The options of every action of `svc webhook`. */
export const commonOptions = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const
