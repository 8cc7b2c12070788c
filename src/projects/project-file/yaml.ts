import { lazily } from '../../base/lib/lazily'

/** The YAML library. It is loaded when first used: a server, and most commands, read and write no project file. */
export const yaml = lazily((): typeof import('yaml') => require('yaml'))
