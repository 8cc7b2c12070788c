import { createClient } from '@libsql/client'

/** The one place that loads the native library; the build links its binding into the executable. */
export const createLibsqlClient: typeof createClient = createClient
