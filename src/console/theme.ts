// Runs before the first paint, so that the page never flashes in the other theme or language.
const { dataset, style } = document.documentElement
const theme = localStorage.getItem('svc.theme')
if (theme === 'light' || theme === 'dark') dataset.theme = theme
document.documentElement.lang = localStorage.getItem('svc.locale') ?? navigator.language
style.colorScheme = ''

export {}
