/** What was looked at, how it is, and one sentence: what was found and, unless all is well, what to do. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message })
export const warn = (name: string, message: string): Check => ({ name, status: 'warn', message })
export const fail = (name: string, message: string): Check => ({ name, status: 'fail', message })
