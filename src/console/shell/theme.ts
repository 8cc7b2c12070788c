/** Light, dark, or as the system is set. The next page is painted with it from the first moment. */
export function setTheme(theme: 'SYSTEM' | 'LIGHT' | 'DARK'): void {
  const { dataset } = document.documentElement
  if (theme === 'SYSTEM') {
    delete dataset.theme
    localStorage.removeItem('svc.theme')
    return
  }
  dataset.theme = theme.toLowerCase()
  localStorage.setItem('svc.theme', theme.toLowerCase())
}
