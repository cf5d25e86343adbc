import { type PromptLanguage, TEMPLATE_DEFAULTS, type TemplateName } from '../templates-contract'

/** Fills `{name}` once; text that came in is not looked at again, an unknown placeholder stays. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/**
 * The sentence that goes in with a block: the user's own (`settings.context.templates`) or the built-in one.
 * '' where the user wants none.
 */
export function framingFor(
  name: TemplateName,
  language: PromptLanguage,
  templates: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const template = templates[name] || TEMPLATE_DEFAULTS[language][name]
  return template.trim() === '' ? '' : fillTemplate(template, values)
}

/** The sentence at the head of a request that holds `<system-reminder>` text; '' where the user wants none. */
export function appPrefix(language: PromptLanguage, templates: Readonly<Record<string, string>>): string {
  return framingFor('app_prefix', language, templates)
}
