/** Puts a text on the clipboard; false when the browser refuses. Its own way is there on https and localhost only. */
export async function putOnClipboard(text: string): Promise<boolean> {
  const isPut = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return isPut ?? copySelected(text)
}

/** The old way, on plain http: selects the text in an invisible field. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Under an open dialog nothing else can be selected.
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  place.append(field)
  field.select()
  const isPut = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isPut
}
