/** What React Aria says itself, such as how a menu is closed, is said as the page: it would go by the browser. */
Object.assign(window, { [Symbol.for('react-aria.i18n.locale')]: 'zh-CN' })
