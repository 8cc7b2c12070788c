/** Code as HTML. Comments, the program name of a command and YAML keys are marked. The rest is only escaped. */
export function highlight(code: string, language: string): string {
  const comment = COMMENTS[language]
  return code
    .split('\n')
    .map((line) => (comment ? highlightLine(line, comment, language) : Bun.escapeHTML(line)))
    .join('\n')
}

const COMMENTS: Record<string, RegExp> = { sh: /(^|\s)#\s.*$/, yaml: /(^|\s)#\s.*$/, ts: /(^|\s)\/\/\s.*$/ }

function highlightLine(line: string, comment: RegExp, language: string): string {
  const at = comment.exec(line)?.index ?? line.length
  const code = Bun.escapeHTML(line.slice(0, at))
  const rest = line.slice(at)
  return styled(code, language) + (rest === '' ? '' : `<span class="c">${Bun.escapeHTML(rest)}</span>`)
}

function styled(code: string, language: string): string {
  if (language === 'sh') return code.replace(/^(sudo )?[./\w-]+(?= |$)/, '<b>$&</b>')
  if (language === 'yaml') return code.replace(/^(\s*(?:- )?)([\w$.-]+)(?=:)/, '$1<b>$2</b>')
  return code
}
