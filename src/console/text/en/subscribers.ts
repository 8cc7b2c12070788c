export const texts = {
  title: 'subscribers',
}
