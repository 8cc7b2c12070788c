const WRITES = /^\s*(insert|update|delete)\b/i
const RETURNS = /\breturning\b/i

/** Whether a statement changes rows and returns none, so that a transaction need not wait for it. */
export const returnsNothing = (sql: string): boolean => WRITES.test(sql) && !RETURNS.test(sql)
