export { troupeVersion as version } from "@troupe/schema";
