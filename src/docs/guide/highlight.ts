/** Code as HTML. Comments, the program name of a command, YAML keys and changes are marked. The rest is only escaped. */
export function highlight(code: string, language: string): string {
  if (language === 'diff') return code.split('\n').map(changedLine).join('\n')
  const comment = COMMENTS[language]
  return code
    .split('\n')
    .map((line) => (comment ? highlightLine(line, comment, language) : Bun.escapeHTML(line)))
    .join('\n')
}

function changedLine(line: string): string {
  const html = Bun.escapeHTML(line)
  if (line.startsWith('+')) return `<ins>${html}</ins>`
  return line.startsWith('-') ? `<del>${html}</del>` : html
}

const HASH = /(^|\s)#\s.*$/
const SLASHES = /(^|\s)\/\/\/?\s.*$/

const COMMENTS: Record<string, RegExp> = {
  ...{ sh: HASH, yaml: HASH },
  ...{ ts: SLASHES, js: SLASHES, swift: SLASHES, kotlin: SLASHES, dart: SLASHES },
}

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
