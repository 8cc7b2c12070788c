/** Columns of the query editor that may contain personal data, or a whole document in which it may be. */
const PERSONAL_COLUMNS = new Set([
  'app_user_id',
  'attributes',
  'cause',
  'before',
  'after',
  'data',
  'presented_context',
  'description',
  'last_error',
])

/**
 * Whether the cells of a query may hold personal data: it names such a column, or all columns of a table. A name can only
 * be written plainly or in double quotes, since the editor takes no other form.
 */
export function readsPersonalColumns(sql: string): boolean {
  const plain = sql.toLowerCase().replace(/\bcount\s*\(\s*\*\s*\)/g, 'count')
  if (/u&"/.test(plain) || /(^|[\s,.(])\*/.test(plain)) return true
  return (plain.match(/[\p{L}_][\p{L}\d_$]*/gu) ?? []).some((word) => PERSONAL_COLUMNS.has(word))
}
