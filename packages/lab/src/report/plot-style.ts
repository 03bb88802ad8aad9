/** Colours of one theme; those of the drawings of topologies, so that pages with both look of a piece. */
interface Theme {
  readonly page: string;
  readonly text: string;
  readonly quiet: string;
  readonly grid: string;
  readonly tones: readonly string[];
}

const light: Theme = {
  page: "#ffffff",
  text: "#1c2330",
  quiet: "#667085",
  grid: "#e4e7ec",
  tones: ["#4a7bdc", "#8a5cd6", "#1f97a3", "#d6516b", "#5f9a2f", "#d47a2c"],
};

const dark: Theme = {
  page: "#0f141c",
  text: "#e8edf5",
  quiet: "#93a0b4",
  grid: "#232c3a",
  tones: ["#6d9bf2", "#a986ee", "#4fbcc7", "#ec7f94", "#8cc560", "#ec9f5c"],
};

/** The style sheet of a plot: light, and dark where the reader prefers it. */
export const plotStyle = [
  `text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}`,
  ".title{font-size:17px;font-weight:650}.sub{font-size:12px}.id{font-size:13px;font-weight:600;text-anchor:end}",
  ".key{font-size:11px}.figure{font-size:12.5px;white-space:pre}.mid{text-anchor:middle}",
  ".grid{stroke-width:1}.bar{stroke-width:3;stroke-opacity:.55}.cap{stroke-width:1.6;fill:none}.dot{stroke-width:2}",
  ".name{font-size:13px;font-weight:600}.end{text-anchor:end}.line,.fit,.ghost,.ref{fill:none}.line{stroke-width:2.2;stroke-linejoin:round}",
  ".band{fill-opacity:.17}.fit{stroke-width:1.6;stroke-dasharray:2 3}.ghost{stroke-width:1.2;stroke-opacity:.4}.ref{stroke-width:1.4;stroke-dasharray:6 4}",
  rulesOf(light),
  `@media (prefers-color-scheme:dark){${rulesOf(dark)}}`,
].join("");

function rulesOf({ page, text, quiet, grid, tones }: Theme): string {
  const rules = [
    `.page{fill:${page}}.title,.id,.name,.figure{fill:${text}}.sub,.key{fill:${quiet}}.grid{stroke:${grid}}.dot{stroke:${page}}`,
    `.ghost{stroke:${quiet}}.ref{stroke:${text}}`,
    ...tones.map((tone, i) => {
      const [lines, areas] = [
        ["bar", "cap", "line", "fit"],
        ["dot", "band"],
      ].map((parts) => parts.map((part) => `.${part}.t${i}`).join(","));
      return `${lines}{stroke:${tone}}${areas}{fill:${tone}}`;
    }),
  ];
  return rules.join("");
}

/** Tones of the style sheet, classes `t0` and so on. */
export const toneCount = light.tones.length;
